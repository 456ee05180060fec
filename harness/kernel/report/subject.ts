import {
  type ClientSubject,
  commandInWords,
  protocols,
  protocolTitles,
  type RunResult,
  timesAsked,
} from '../core/index.ts';
import { counted } from './words.ts';

/** Words of reports that differ between a gateway and a client. All such distinctions are in this module. */
interface SubjectWords {
  readonly noun: 'gateway' | 'client';
  readonly untestable: string;
  readonly notApplicable: string;
  /** Heading for requirements that no check judges. */
  readonly unchecked: string;
  /** Advice on how to close the gap of untestable checks. */
  readonly closeGap: string;
}

const words: Readonly<Record<SubjectWords['noun'], SubjectWords>> = {
  gateway: {
    noun: 'gateway',
    untestable: 'the target file lacks something',
    notApplicable: 'not offered, or nothing to test it on',
    unchecked: 'Not observable',
    closeGap: 'add to the target file what "Untestable" asks for',
  },
  client: {
    noun: 'client',
    untestable: 'the client was not started so that it could show it',
    notApplicable: 'not done by the client, or nothing to judge it on',
    unchecked: 'Without a check',
    closeGap: 'start the client as "Untestable" says',
  },
};

type Subject = Pick<RunResult, 'target'>;

/** Returns the words for the subject of a run. */
export function subjectOf({ target }: Subject): SubjectWords {
  return words[target.client === undefined ? 'gateway' : 'client'];
}

/** Title of a subject: its name. For a client, also its version and the judged side. */
export function titleOf({
  target: { name, client },
}: {
  readonly target: Pick<RunResult['target'], 'name' | 'client'>;
}): string {
  if (client === undefined) return name;
  // Several packages have several versions, which do not fit into a title.
  const { version = '', upstreamOf } = client;
  const what = upstreamOf === undefined ? 'client' : 'back side of a gateway';
  return `${name}${/^[^ ]+$/.test(version) ? ` ${version}` : ''} (${what})`;
}

/** Facts of a client, and its start command: names and values. */
export function clientFacts(client: ClientSubject): readonly (readonly [string, string])[] {
  const { adapter, version, tasks, speaks, upstreamOf } = client;
  return [
    ...(upstreamOf === undefined
      ? []
      : ([
          ['Back side of', upstreamOf.front],
          ['Model', upstreamOf.model],
        ] as const)),
    ...(adapter === undefined ? [] : [['Adapter', adapter] as const]),
    ...(adapter === undefined && upstreamOf === undefined
      ? [['Command', commandInWords(client)] as const]
      : []),
    ...(version === undefined ? [] : [['Version', version] as const]),
    ...(client.with === undefined
      ? []
      : [
          [
            'Settings',
            client.withSha256 === undefined
              ? client.with
              : `${client.with}, SHA-256 ${client.withSha256}`,
          ] as const,
        ]),
    ['Asked for', tasks ? 'tasks' : 'texts'],
    ...(speaks.length === protocols.length
      ? []
      : [['Protocols', speaks.map((one) => protocolTitles[one]).join(', ')] as const]),
  ];
}

/** Address of a gateway, or the start of a client, in one line. */
export function placeInWords({ target: { regions, client } }: Subject): string {
  if (client === undefined) {
    return regions.map(({ name, baseUrl }) => `${name} ${baseUrl}`).join(', ');
  }
  return clientFacts(client)
    .filter(([name]) => name !== 'Version')
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .join('; ');
}

/** The protocols that a client was seen to use, in a sentence. Empty if there are none. */
export function spokenInWords({ conversations }: Pick<RunResult, 'conversations'>): string[] {
  const spoken = new Set(
    conversations?.filter((one) => timesAsked(one) > 0).map(({ protocol }) => protocol),
  );
  const titles = protocols.filter((one) => spoken.has(one)).map((one) => protocolTitles[one]);
  return titles.length === 0 ? [] : [`The client was seen to speak ${titles.join(', ')}.`];
}

/** `12 requests, 1 generation`. For a client, which costs nothing, the number of starts. */
export function trafficInWords({ target, traffic, conversations }: RunResult): string {
  const requests = counted(traffic.requests, 'request');
  if (conversations === undefined) {
    return `${requests}, ${counted(traffic.generations, 'generation')}`;
  }
  return target.client?.upstreamOf === undefined
    ? `${counted(conversations.length, 'start')} of the client, ${requests}`
    : `${counted(conversations.length, 'request')} to its front, ${requests} at its back`;
}
