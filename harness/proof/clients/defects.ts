import type { Protocol } from '../../core/protocol.ts';

/** A faulty client: `fixtures/faulty-client.mjs` with one defect. */
export interface ClientDefect {
  /** By this name the client has it. */
  readonly id: string;
  /** What it does, in one sentence. */
  readonly what: string;
  /** The checks that have to fail, and no others; an id of a requirement stands for all its values. */
  readonly breaks: readonly string[];
  /** The protocols that it is asked to speak. Default: Responses, which is enough for what is in none of them. */
  readonly speaks?: readonly Protocol[];
}

/** Defects, of which each has to be found. */
export const clientDefects: readonly ClientDefect[] = [
  {
    id: 'retries-connection',
    what: 'It sends a generation again when no answer came.',
    breaks: [
      'client/retries.none-when-uncertain:reset',
      'client/retries.none-when-uncertain:no-answer',
      'client/retries.none-at-all:refused',
    ],
  },
  {
    id: 'impatient',
    what: 'It sends a generation again when nothing has come for a while.',
    breaks: [
      'client/retries.none-when-uncertain:no-answer',
      'client/retries.none-when-uncertain:stall',
    ],
  },
  {
    id: 'retries-body',
    what: 'It sends a generation again when the body of its answer was cut.',
    breaks: ['client/retries.none-when-uncertain:cut-body'],
  },
  {
    id: 'retries-stream',
    what: 'It sends a generation again when its stream was cut.',
    breaks: [
      'client/retries.none-when-uncertain:cut-stream',
      'client/retries.none-when-uncertain:stall',
      'client/retries.lookup-before-resend',
    ],
  },
  {
    id: 'retries-status',
    what: 'It sends a generation again when an error was answered.',
    breaks: ['429', '500', '502', '503', '504'].map((one) => `client/retries.none-at-all:${one}`),
  },
  {
    id: 'wrong-header',
    what: 'It shows its key in the same header, whatever the protocol.',
    breaks: ['client/requests.credential-header'],
  },
  {
    id: 'no-version',
    what: 'It leaves out the version header of Messages.',
    breaks: ['client/requests.credential-header'],
    speaks: ['messages'],
  },
  {
    id: 'no-limit',
    what: 'It leaves the output limit to the gateway.',
    breaks: ['client/requests.output-limit-set'],
    speaks: ['responses', 'chat-completions', 'messages', 'generative'],
  },
  {
    id: 'limits-everything',
    what: 'It sets an output limit on System One, too.',
    breaks: ['client/requests.output-limit-set'],
    speaks: ['systemone'],
  },
  {
    id: 'wrong-base',
    what: 'It puts the base address with `/v1` before a path under `/v1beta`.',
    breaks: ['client/requests.paths'],
    speaks: ['generative'],
  },
  {
    id: 'raw-model',
    what: 'It puts the id of a model into the path as it is.',
    breaks: ['client/requests.model-id-encoded'],
    speaks: ['generative'],
  },
  {
    id: 'background-unstored',
    what: 'It asks for the background without storage.',
    breaks: ['client/requests.background-stores'],
  },
  {
    id: 'first-region',
    what: 'It sends everything to the first region.',
    breaks: ['client/requests.original-region'],
  },
  {
    id: 'one-parser',
    what: 'It reads the text of every protocol wherever it might stand.',
    breaks: ['client/stream.own-parser'],
    speaks: ['messages'],
  },
  {
    id: 'no-rest',
    what: 'It takes each chunk for whole events.',
    breaks: ['client/stream.event-by-event'],
    speaks: ['chat-completions'],
  },
  {
    id: 'splits-characters',
    what: 'It reads each chunk as whole characters.',
    breaks: ['client/stream.event-by-event'],
    speaks: ['generative'],
  },
  {
    id: 'no-comments',
    what: 'It fails on a comment in a stream.',
    breaks: ['client/stream.event-by-event'],
  },
  {
    id: 'known-types-only',
    what: 'It fails on events that it does not know.',
    breaks: ['client/stream.event-by-event'],
  },
];

/** Clients that are no clients: none of them may pass a MUST. */
export const nullClients: readonly Omit<ClientDefect, 'breaks'>[] = [
  { id: 'does-nothing', what: 'It ends at once.' },
  { id: 'prints-garbage', what: 'It prints something, and sends nothing.' },
  { id: 'prints-the-prompt', what: 'It prints its prompt, and sends nothing.' },
  { id: 'sends-one-get', what: 'It asks for the list of models.' },
];

/** Legal differences: none of them may be blamed. */
export const legalClients: readonly Omit<ClientDefect, 'breaks'>[] = [
  { id: 'idempotency-key', what: 'It names a key for each request, and sends none again.' },
];
