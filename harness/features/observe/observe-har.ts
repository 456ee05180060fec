import { type Exchange, type ExchangeFailure, parsed } from '../../kernel/core/index.ts';
import {
  answerOf,
  isDone,
  protocolModules,
  streamingProtocolOf,
} from '../../kernel/protocols/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import { Credentials } from './credentials.ts';
import { harEntry, harTime } from './har.ts';
import { BadHar, harEntries } from './har-entries.ts';
import { baseOf, targetAt } from './har-target.ts';
import { labelled, regionOf } from './label.ts';
import type { Observation } from './observation.ts';

export interface HarContents {
  readonly path: string;
  /** Start of its first entry, in milliseconds of the Unix epoch. */
  readonly began: number;
  readonly entries: number;
  /** Base addresses below which requests of the interface were sent. */
  readonly bases: readonly string[];
  /** Hosts of its requests, to find out why none belongs to the interface. */
  readonly hosts: readonly string[];
  /** Problems of the file, which was read as far as possible. */
  readonly problems: readonly string[];
}

/** Scans a HAR file. Never throws for an invalid file. */
export async function lookThrough(path: string): Promise<HarContents> {
  const bases = new Set<string>();
  const hosts = new Set<string>();
  const problems: string[] = [];
  let began = Infinity;
  let entries = 0;
  try {
    for await (const { index, at, text } of harEntries(path)) {
      entries++;
      const where = `${path}, log.entries[${index}] (byte ${at})`;
      if (text === null) {
        problems.push(`${where} was left out: it is larger than 64 MiB.`);
        continue;
      }
      const entry = harEntry(text, index, 0);
      if (entry.kind === 'unreadable') problems.push(`${where} was left out: ${entry.why}.`);
      if (entry.kind !== 'seen') continue;
      began = Math.min(began, harTime(parsed(text)));
      hosts.add(new URL(entry.seen.request.url).host);
      const base = baseOf(entry.seen);
      if (base !== null) bases.add(base);
    }
  } catch (error) {
    if (!(error instanceof BadHar)) throw error;
    problems.push(error.message);
  }
  return {
    path,
    began: Number.isFinite(began) ? began : 0,
    entries,
    bases: [...bases],
    hosts: [...hosts],
    problems,
  };
}

/** The target according to a HAR file: the addresses of its requests to the interface. */
export function targetOf({ path, bases }: HarContents): Target {
  return targetAt(path.replace(/^.*[\\/]/, '').replace(/\.har$/i, ''), bases);
}

/** Counts of the exchanges of a HAR file that were judged and not judged. */
export interface HarObserved {
  readonly judged: number;
  /** Requests to the target that are not part of the interface. */
  readonly others: number;
  readonly elsewhere: number;
}

export async function observeHar(
  { path, began }: HarContents,
  target: Target,
  observation: Pick<Observation, 'add' | 'trim'>,
): Promise<HarObserved> {
  const credentials = new Credentials(target);
  const counts = { judged: 0, others: 0, elsewhere: 0 };
  try {
    for await (const { index, text } of harEntries(path)) {
      const entry = text === null ? null : harEntry(text, index, began);
      if (entry?.kind !== 'seen') continue;
      const region = regionOf(entry.seen.request.url, target);
      if (region === null) {
        counts.elsewhere++;
        continue;
      }
      const exchange = labelled(entry.seen, region, credentials);
      if (exchange === null) {
        counts.others++;
        continue;
      }
      counts.judged++;
      observation.add(withLosses(exchange));
      await observation.trim();
    }
  } catch (error) {
    // Problems of the file were reported by the scan.
    if (!(error instanceof BadHar)) throw error;
  }
  return counts;
}

const noEnd: ExchangeFailure = {
  kind: 'cut',
  message: 'the stream has no end in the HAR, which does not tell who ended it',
};
const noWholeBody: ExchangeFailure = {
  kind: 'cut',
  message: 'the body is no whole JSON in the HAR, which does not tell how long it was',
};

/** Marks data that may have been received, and is missing in the file. */
function withLosses(exchange: Exchange): Exchange {
  const { failure, response, socket } = exchange;
  if (failure !== null || response === null || socket !== null) return exchange;
  const type = response.headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  if (/json/i.test(type) && parsed(Buffer.from(response.body).toString()) === undefined) {
    return response.body.length === 0 ? exchange : { ...exchange, failure: noWholeBody };
  }
  const protocol = streamingProtocolOf(exchange);
  if (!/event-stream/i.test(type) || protocol === null) return exchange;
  const events = answerOf(exchange).events;
  const ends =
    protocol === 'chat-completions'
      ? events.some(isDone)
      : events.some(protocolModules[protocol].stream.isEnd);
  // Exporters may trim a text.
  const isClosed = /(\r\n|\n|\r)\1$/.test(Buffer.from(response.body).toString('latin1'));
  return ends && isClosed ? exchange : { ...exchange, failure: noEnd };
}
