import { isUtf8 } from 'node:buffer';
import { closeSync, readSync } from 'node:fs';
import {
  asObject,
  CommandError,
  type Exchange,
  finite,
  flag,
  formatId,
  listOf,
  messageOf,
  type ObservedIn,
  objectOf,
  oneOf,
  openForeign,
  type Peer,
  parsed,
  type Read as Shape,
  text,
  UnfitFile,
} from '../core/index.ts';
import { shortestSought } from '../redaction/index.ts';
import { type Target, type Tls, targetShape } from '../targets/index.ts';
import { fromLine, Growing, longestLine, mostPeers, peerFrom, Spool } from '../wire/index.ts';
import { Recorder } from './recorder.ts';
import { StrictLines } from './strict-lines.ts';

/** A part of the checks that is not selected by id prefixes. */
export interface Selection {
  readonly ids: readonly string[];
  /** Reason in reports why the others are excluded. */
  readonly others: string;
  /** Ids of the excluded checks that another part of the run judges. */
  readonly elsewhere?: readonly string[];
  /** Ids of checks that are judged on the exchanges of others: only their last scenarios run. */
  readonly along?: readonly string[];
  /** Names of scenarios that are not run, although checks have them to decide what is left open. */
  readonly without?: readonly string[];
  /** Names of further scenarios to run, because `everywhere` checks failed on them before. */
  readonly besides?: readonly string[];
}

/** Ordinary generations of several users that are in flight during a run. */
export interface Load {
  readonly inFlight: number;
  readonly generations: number;
}

/** The first line of a recording: all inputs of a run besides the answers of the gateway. */
export interface RecordingHeader {
  readonly format: 'gateway-touchstone/recording';
  /** Counts up when a member is removed or changes its meaning. */
  readonly version: 2;
  readonly suiteVersion: string;
  /** Digest of the catalogue that the run was judged by. */
  readonly catalogue: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly seed: number;
  readonly runId: string;
  /** Challenge of a verifier. The seed and the run id derive from it. */
  readonly challenge?: string;
  readonly strict: boolean;
  /** Id prefixes that the run was limited to; empty: everything. */
  readonly filters: readonly string[];
  /** Part of these checks that the run was narrowed to. */
  readonly only?: Selection;
  /** Load that was in flight during the run. */
  readonly load?: Load;
  /** Present if the exchanges are observed traffic of others, and no run has sent them. */
  readonly observed?: ObservedIn;
  /** Bounds of the exploration that was recorded. The histories of its exchanges follow them. */
  readonly explored?: {
    readonly generations: number;
    readonly requests: number;
    readonly minutes: number;
    /** Size from which on only histories that show something new, or the same shorter, are recorded. */
    readonly bytes: number;
  };
  /** Target that was judged, with a stand-in for each key: the set of keys decides which checks run. */
  readonly target: Target;
}

export interface Recording {
  readonly header: RecordingHeader;
  readonly exchanges: readonly Exchange[];
  /** Lines with the starts of the client, if the run judged one. */
  readonly sessions: readonly string[];
  /** True if the last line is truncated, because the writing process was killed. */
  readonly cut: boolean;
}

/** Thrown if a file is no recording, or an incomplete one. */
export class BadRecording extends CommandError {
  override readonly name = 'BadRecording';

  constructor(path: string, problem: string) {
    super(`${path} is no recording that can be judged: ${problem}`);
  }
}

const format = 'gateway-touchstone/recording';

export type NewHeader = Omit<RecordingHeader, 'format' | 'version'>;

/**
 * Begins a recording. An earlier file of that path is removed, as with every file that a run writes.
 *
 * @param path undefined records nothing
 * @throws {FileInUse} while another process records to it
 */
export function beginRecording(path: string | undefined, header: NewHeader): Recorder {
  return path === undefined ? new Recorder(null) : new Recorder(path, headerLine(header));
}

export function headerLine(header: NewHeader): string {
  const shown = { ...header, target: withoutKeys(header.target) };
  // The reader gives members one order, so that a line can be compared with its content.
  return JSON.stringify({ format, version: 2, ...headerShape(shown, 'header') });
}

/**
 * Reads a recording.
 *
 * @param isEvidence true if every line has to be as Touchstone writes it
 * @throws {BadRecording} if it cannot be read as a recording
 * @throws {UnfitFile} if a line is over a limit
 */
export function readRecording(path: string, isEvidence = false): Recording {
  const { header, parts } = openRecording(path, isEvidence);
  if (header.explored !== undefined) {
    throw new BadRecording(path, 'it is of an exploration: `touchstone recheck` takes it.');
  }
  const isOfClient = header.target.client !== undefined;
  const exchanges: Exchange[] = [];
  const sessions: string[] = [];
  let cut = false;
  for (const part of parts) {
    if (part.kind === 'cut') cut = true;
    else if (part.kind === 'exchange') exchanges.push(part.exchange);
    else if (part.text.startsWith('{"session":') && (!isEvidence || isOfClient)) {
      sessions.push(part.text);
    } else part.fail('it holds no exchange.');
  }
  return { header, exchanges, sessions, cut };
}

/** A part of a recording after its first line. */
type Part =
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  /** A line of another kind that refers to exchanges. */
  | { readonly kind: 'line'; readonly text: string; readonly fail: (problem: string) => never }
  /** The last line is truncated, because the writing process was killed. */
  | { readonly kind: 'cut' };

/**
 * Opens a recording for reading line by line, because it may be larger than the memory.
 *
 * @throws {BadRecording} if it cannot be read as a recording
 */
export function openRecording(
  path: string,
  isEvidence = false,
): {
  readonly header: RecordingHeader;
  readonly parts: Generator<Part, undefined>;
} {
  const fail: Fail = (problem) => {
    throw new BadRecording(path, problem);
  };
  const over: Fail = (problem) => {
    throw new UnfitFile(problem);
  };
  const lines = linesOf(path, fail, isEvidence ? over : fail);
  const first = lines.next().value;
  const header = headerIn(first?.text, fail);
  const strict = isEvidence ? new StrictLines(header.target.name) : null;
  if (strict !== null && first !== undefined) {
    const why = strict.whyNot(first, headerLine(header));
    if (why !== null) fail(`line 1: ${why}.`);
  }
  return {
    header,
    parts: partsIn(lines, {
      isCut: first?.isWhole === false,
      strict,
      fail,
      over: isEvidence ? over : fail,
    }),
  };
}

interface LineRules {
  readonly isCut: boolean;
  readonly strict: StrictLines | null;
  readonly fail: Fail;
  /** Refuses what is over a limit. */
  readonly over: Fail;
}

function* partsIn(
  lines: Generator<LineOf, undefined>,
  { isCut, strict, fail, over }: LineRules,
): Generator<Part, undefined> {
  if (isCut) yield { kind: 'cut' };
  const ids = new Set<string>();
  const peers = new Map<string, Peer>();
  const spool = new Spool();
  let number = 1;
  for (const line of lines) {
    number++;
    const failHere: Fail = (problem) => fail(`line ${number}: ${problem}`);
    if (!line.isWhole) {
      yield { kind: 'cut' };
      return;
    }
    let part: Part | null;
    try {
      part = partIn(line, { ids, peers, spool, strict }, failHere);
    } catch (error) {
      if (!(error instanceof UnfitFile)) return failHere(messageOf(error));
      return over(`line ${number}: ${error.message}`);
    }
    if (part !== null) yield part;
  }
  const why = strict?.atEnd() ?? null;
  if (why !== null) fail(`${why}.`);
}

interface Read {
  readonly ids: Set<string>;
  readonly peers: Map<string, Peer>;
  readonly spool: Spool;
  readonly strict: StrictLines | null;
}

/** @returns null for a peer, which following exchanges refer to */
function partIn(line: LineOf, { ids, peers, spool, strict }: Read, fail: Fail): Part | null {
  const { text } = line;
  const refuse = (why: string | null | undefined): void => {
    if (typeof why === 'string') throw new Error(`It is not as Touchstone writes it: ${why}.`);
  };
  if (isOtherLine(text)) {
    refuse(strict?.ofOther(line));
    return { kind: 'line', text, fail };
  }
  const peer = peerFrom(text);
  if (peer !== null) {
    if (peers.size >= mostPeers) throw new Error('It has more peers than are recorded.');
    refuse(strict?.ofPeer(line, peer, peers));
    peers.set(peer.id, peer);
    return null;
  }
  const { exchange } = fromLine(text, peers);
  refuse(strict?.ofExchange(line, exchange));
  const id = formatId(exchange.id);
  if (ids.has(id)) throw new Error(`There are two exchanges ${id}.`);
  ids.add(id);
  return { kind: 'exchange', exchange: spool.keep(exchange) };
}

/** True for a start of a client or a history of an exploration: `{"session":…`. */
function isOtherLine(line: string): boolean {
  return /^\{"(?:session|history|explored)":/.test(line);
}

/**
 * Returns the header of a recording without reading its exchanges.
 *
 * @throws {BadRecording} if there is no valid header
 */
export function readRecordingHeader(path: string): RecordingHeader {
  const fail: Fail = (problem) => {
    throw new BadRecording(path, problem);
  };
  const lines = linesOf(path, fail);
  const first = lines.next().value;
  lines.return(undefined);
  return headerIn(first?.text, fail);
}

type Fail = (problem: string) => never;

function headerIn(line: string | undefined, fail: Fail): RecordingHeader {
  const header = asObject(parsed(line ?? ''));
  if (header.format !== format || typeof header.version !== 'number') {
    return fail(
      'its first line does not say how it was made. Record a run with `touchstone run --record FILE`.',
    );
  }
  const { version } = header;
  if (version !== 2) {
    return fail(
      `it has the format version ${version}, and this Touchstone reads version 2: record the run again with this version.`,
    );
  }
  try {
    return { format, version, ...headerShape(header, 'header') };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return fail(`its first line does not say how it was made: ${problem}.`);
  }
}

interface LineOf {
  readonly text: string;
  readonly isUtf8: boolean;
  /** Every line ends with a line feed: text after the last one is a truncated line. */
  readonly isWhole: boolean;
}

const brace = '{'.charCodeAt(0);

/** Reads the lines of a file one by one, because it may be larger than the maximum string. */
function* linesOf(path: string, fail: Fail, over = fail): Generator<LineOf, undefined> {
  let file: number | null = null;
  try {
    file = openForeign(path);
    const piece = Buffer.alloc(1024 * 1024);
    const line = new Growing();
    for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
      const came = piece.subarray(0, length);
      let start = 0;
      for (let end = came.indexOf('\n'); end >= 0; end = came.indexOf('\n', start)) {
        line.add(came.subarray(start, end));
        yield { text: line.view.toString(), isUtf8: isUtf8(line.view), isWhole: true };
        line.clear();
        start = end + 1;
      }
      line.add(came.subarray(start));
      if (line.length > longestLine) {
        return over(`A line has more than ${longestLine} bytes, which are the most.`);
      }
      // Reading ends at the first bytes that no recording has.
      if (line.length > 0 && line.view[0] !== brace) return fail('A line is no JSON object.');
    }
    if (line.length > 0)
      yield { text: line.view.toString(), isUtf8: isUtf8(line.view), isWhole: false };
  } catch (error) {
    if (error instanceof UnfitFile && error.isOver) throw error;
    return fail(messageOf(error));
  } finally {
    if (file !== null) closeSync(file);
  }
  return undefined;
}

/** Returns the target with a stand-in for each key. */
function withoutKeys(target: Target): Target {
  const { proxies: _, tls, regions, ...rest } = target;
  return {
    ...rest,
    ...(tls === undefined ? {} : { tls: withoutFiles(tls) }),
    regions: regions.map((region) =>
      region.tls === undefined ? region : { ...region, tls: withoutFiles(region.tls) },
    ),
    keys: standInsFor({ ...target.keys }),
    variables: standInsFor(target.variables),
    ...(target.providers === undefined
      ? {}
      : { providers: { ...target.providers, keys: playedKeys(target.providers.keys) } }),
  };
}

/** Returns the stand-ins for the keys of the listeners. `client` is no key. */
function playedKeys(keys: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = Object.entries(keys);
  return Object.fromEntries(
    all.map(([name, key]) => [name, key === 'client' ? key : standIn(`provider-${name}`, key)]),
  );
}

function withoutFiles({ ca, certificate, key, passphrase }: Tls): Tls {
  const empty = ({ path }: NonNullable<Tls['ca']>) => ({ path, pem: '' });
  return {
    ...(ca === undefined ? {} : { ca: empty(ca) }),
    ...(certificate === undefined ? {} : { certificate: empty(certificate) }),
    ...(key === undefined ? {} : { key: empty(key) }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

function standInsFor(secrets: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = Object.entries(secrets);
  return Object.fromEntries(all.map(([name, value]) => [name, standIn(name, value)]));
}

/** Masked in an exchange exactly if its secret was: short secrets are not searched for. */
function standIn(name: string, secret: string): string {
  return secret.length < shortestSought
    ? `:${name}`.slice(0, shortestSought - 1)
    : `redacted:${name}`;
}

const texts = listOf(text);

/** Shape of the first line. Others may have written it, so every member is validated. */
const headerShape: Shape<Omit<RecordingHeader, 'format' | 'version'>> = objectOf(
  {
    suiteVersion: text,
    catalogue: text,
    startedAt: text,
    seed: finite,
    runId: text,
    strict: flag,
    filters: texts,
    target: targetShape,
  },
  {
    challenge: text,
    only: objectOf(
      { ids: texts, others: text },
      { elsewhere: texts, along: texts, without: texts, besides: texts },
    ),
    load: objectOf({ inFlight: finite, generations: finite }),
    observed: oneOf('proxy', 'HAR'),
    explored: objectOf({ generations: finite, requests: finite, minutes: finite, bytes: finite }),
  },
);
