import { isArray, type JsonObject } from '../../reference/json.ts';
import { changed, memberAt, set } from '../editing.ts';
import { bodies } from '../planting.ts';
import type { Fault } from './fault.ts';
import { lookedUp, type Origin, responseAt } from './response-bodies.ts';

// Lookups that show something else than what the creation said.

const row = 'storage/responses.lookup-same-resource';

interface Difference {
  readonly id: string;
  readonly what: string;
  readonly origin: Origin;
  readonly change: (body: JsonObject) => JsonObject;
}

const differences: readonly Difference[] = [
  {
    id: 'other-date',
    what: 'A lookup shows a date of creation that is a minute late.',
    origin: 'one-body',
    change: (body) => changed(body, 'created_at', (date) => Number(date) + 60),
  },
  {
    id: 'other-item',
    what: 'A lookup makes up the ids of the output items.',
    origin: 'one-body',
    change: (body) => changed(body, 'output.0.id', (id) => `${id}_copy`),
  },
  {
    id: 'more-items',
    what: 'A lookup shows a reasoning that the creation did not.',
    origin: 'one-body',
    change: (body) =>
      changed(body, 'output', (items) => [
        { id: `${body.id}_why`, type: 'reasoning', summary: [] },
        ...(isArray(items) ? items : []),
      ]),
  },
  {
    id: 'other-kind',
    what: 'A lookup shows a message as an item of another kind.',
    origin: 'one-body',
    change: (body) => changed(body, 'output.0.type', () => 'answer'),
  },
  {
    id: 'streamed-other-usage',
    what: 'A lookup of a streamed response counts one token too many.',
    origin: 'stream',
    change: (body) =>
      ['usage.output_tokens', 'usage.total_tokens'].reduce(
        (so, count) => changed(so, count, (tokens) => Number(tokens) + 1),
        body,
      ),
  },
  {
    id: 'streamed-other-model',
    what: 'A lookup of a streamed response names the channel in the place of the model.',
    origin: 'stream',
    change: (body) => set(body, 'model', 'channel-7'),
  },
  {
    id: 'streamed-never-ends',
    what: 'A lookup of a streamed response says for ever that it is in progress.',
    origin: 'stream',
    change: (body) => set(body, 'status', 'in_progress'),
  },
  {
    id: 'background-other-limit',
    what: 'A lookup of a background response shows another output limit than was asked for.',
    origin: 'background',
    change: (body) => set(body, 'max_output_tokens', 4_096),
  },
];

const breaks: Readonly<Record<Origin, readonly string[]>> = {
  'one-body': [`${row}:one-body`],
  stream: [`${row}:stream`, `${row}:websocket`],
  background: [`${row}:background`],
};

/** Rewrites what a lookup shows of a response that goes on from another. */
function continued(change: (body: JsonObject) => JsonObject): Fault['override'] {
  return bodies('responses.response', (body, { call, record }) => {
    const goesOn = record?.turn?.parts.request.previousResponseId != null;
    return goesOn && call.operation === 'responses.lookup' ? change(body) : body;
  });
}

export const sameResourceFaults: readonly Fault[] = [
  ...differences.map(
    ({ id, what, origin, change }): Fault => ({
      id: `store.lookup-${id}`,
      what,
      breaks: breaks[origin],
      override: responseAt(lookedUp, origin, change),
    }),
  ),
  {
    id: 'store.lookup-continued-other-previous',
    what: 'A lookup of a continuation names the response itself as the one before it.',
    breaks: [`${row}:continuation`],
    override: continued((body) => set(body, 'previous_response_id', memberAt(body, 'id') ?? null)),
  },
  {
    id: 'store.lookup-continued-text-cut',
    what: 'A lookup of a continuation shows the first five characters of the text.',
    breaks: [`${row}:continuation`],
    override: continued((body) =>
      changed(body, 'output.0.content.0.text', (whole) => String(whole).slice(0, 5)),
    ),
  },
];
