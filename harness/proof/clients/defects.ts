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
    ],
  },
  {
    id: 'wrong-header',
    what: 'It shows its key in the same header, whatever the protocol.',
    breaks: ['client/requests.credential-header'],
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
