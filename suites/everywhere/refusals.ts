import {
  type EndpointName,
  type Exchange,
  each,
  present,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import { badBodies } from '../scenarios/bad-bodies.ts';
import { baseline } from '../scenarios/baselines.ts';
import { credentialAttempts } from '../scenarios/credential-attempts.ts';
import { unknownModel } from '../scenarios/wrong-models.ts';

/** Why a request is refused, by the values of the catalogue. */
export type RefusalKind = 'no-key' | 'unknown-model' | 'bad-body' | 'unknown-id';

/** A refused request, and the good one beside it. */
interface Refused {
  readonly refusal: Exchange;
  readonly control: Exchange;
}

const made = new Map<string, Scenario<Refused>>();

/** One refused request of a kind to an endpoint; taken from what other rules have sent anyway. */
export function refusalAt(endpoint: EndpointName, kind: RefusalKind): Scenario<Refused> {
  const name = `everywhere/native/refusal/${endpoint}/${kind}`;
  const known = made.get(name) ?? refusalCalled(name, endpoint, kind);
  made.set(name, known);
  return known;
}

function refusalCalled(name: string, endpoint: EndpointName, kind: RefusalKind): Scenario<Refused> {
  const good = baseline[endpoint];
  const cost = { requests: 0, generations: 0 };
  switch (kind) {
    case 'no-key':
      return scenario(
        name,
        { after: { from: credentialAttempts[endpoint] }, cost },
        (_, { from }) =>
          Promise.resolve({
            refusal: present(from.keyless[0], 'refused request'),
            control: from.control,
          }),
      );
    case 'bad-body':
      return scenario(
        name,
        { after: { good, from: present(badBodies[endpoint], endpoint) }, cost },
        (_, { good, from }) =>
          Promise.resolve({ refusal: from.malformedJson, control: good.baseline }),
      );
    case 'unknown-model':
      return scenario(
        name,
        { after: { good, from: present(unknownModel[endpoint], endpoint) }, cost },
        (_, { good, from }) =>
          Promise.resolve({
            refusal: present(from.attempts[0], 'refused request'),
            control: good.baseline,
          }),
      );
    case 'unknown-id':
      return present(unknownId[endpoint], endpoint);
  }
}

/** The endpoints whose requests name a stored response, with an id that none has. */
const naming = ['responses', 'lookup', 'input-items', 'cancel', 'delete', 'websocket'] as const;

const unknownId: Readonly<Record<string, Scenario<Refused>>> = each(naming, (name) =>
  scenario(
    `everywhere/native/unknown-id/${name}`,
    { after: { baseline: baseline[name] }, cost: { requests: 1, generations: 0 } },
    async ({ ask, word }, { baseline: { baseline: control } }) => {
      const id = `resp_${word()}${word()}`;
      const continued = { previous_response_id: id };
      const refusal = await ask(name, {
        id,
        change: (call) =>
          call.operation === 'responses.create'
            ? { ...call, body: { ...Object(call.body), ...continued } }
            : call,
        frame: (frame) => ({ ...frame, ...continued }),
      });
      return { refusal, control };
    },
  ),
);
