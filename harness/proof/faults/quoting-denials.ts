import type { Operation } from '../../reference/dialect.ts';
import type { Context, Defect } from '../../reference/seams.ts';
import type { StoredResponse } from '../../reference/store.ts';
import { memberAt, set } from '../editing.ts';
import { errorBodies } from '../planting.ts';
import type { Fault } from './fault.ts';

// A denial of a response that says too much, or that breaks.

type Denies = (record: StoredResponse, context: Context) => boolean;

const isAnothers: Denies = ({ owner }, { call }) => owner !== call.key?.user;

const isAnothersRun: Denies = (record, context) =>
  isAnothers(record, context) && record.background && record.turn?.finished === false;

const isOfAnotherModel: Denies = ({ owner, model }, { call: { key } }) =>
  key !== null && owner === key.user && !model.permitted.includes(key.role);

/** The response that an operation was denied, or was to go on from; undefined where that was not the reason. */
function deniedTo(
  operation: Operation,
  denies: Denies,
  context: Context,
): StoredResponse | undefined {
  const { call, refusal } = context;
  if (call.operation !== operation) return;
  const named = {
    'unknown-response': call.params.id,
    'unknown-previous-response': call.body.previous_response_id,
  };
  const reason = refusal?.reason;
  if (reason !== 'unknown-response' && reason !== 'unknown-previous-response') return;
  const record = call.gateway.store.peek(String(named[reason]));
  return record !== undefined && denies(record, context) ? record : undefined;
}

function quoting(operation: Operation, denies: Denies): Defect['override'] {
  return errorBodies(
    (context) => deniedTo(operation, denies, context) !== undefined,
    (body, context) => {
      const { turn = null } = deniedTo(operation, denies, context) ?? {};
      const input = memberAt(turn?.parts.request.input, '0.content.0.text') ?? '';
      return set(body, 'error.message', `You may not touch the answer to "${input}".`);
    },
  );
}

export const quotingDenialFaults: readonly Fault[] = [
  {
    id: 'owners.cancel-denial-shows-input',
    what: "A cancel quotes another user's response that it may not cancel.",
    breaks: ['access/owners.other-user-denied:cancel'],
    override: quoting('responses.cancel', isAnothers),
  },
  {
    id: 'owners.running-denial-shows-input',
    what: "A lookup quotes another user's response as long as it runs.",
    breaks: ['access/owners.running-denied:lookup'],
    override: quoting('responses.lookup', isAnothersRun),
  },
  {
    id: 'owners.turn-denial-shows-input',
    what: "A turn of a WebSocket quotes another user's response that it may not continue.",
    breaks: [
      'access/owners.other-user-denied:continue-websocket',
      'access/owners.later-turn-denied',
    ],
    override: quoting('responses.websocket', isAnothers),
  },
  ...(['compact', 'input-tokens'] as const).flatMap((door): Fault[] => [
    {
      id: `owners.side-door-quotes-${door}`,
      what: `${door} quotes another user's response where it may not be read.`,
      breaks: [`access/owners.indirect-access-denied:${door}`],
      override: quoting(`responses.${door}`, isAnothers),
    },
    {
      id: `owners.side-door-breaks-${door}`,
      what: `${door} breaks down where another user's response may not be read.`,
      breaks: [`access/owners.indirect-access-denied:${door}`],
      override: ({ encode }) => ({
        encode: {
          status: (kind, status, context) =>
            deniedTo(`responses.${door}`, isAnothers, context) === undefined
              ? encode.status(kind, status, context)
              : 500,
        },
      }),
    },
  ]),
  {
    id: 'permissions.denial-shows-input',
    what: 'The denial of a continuation under a permitted model quotes the response of another.',
    breaks: ['access/permissions.continue-under-another-model'],
    override: quoting('responses.create', isOfAnotherModel),
  },
];
