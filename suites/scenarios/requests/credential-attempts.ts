import {
  cheaperElsewhere,
  credentials,
  type EndpointName,
  type Exchange,
  each,
  endpointNames,
  endpoints,
  idOf,
  NothingToJudge,
  type Protocol,
  type Scenario,
  scenario,
  type Target,
  type View,
  view,
} from '../../../harness/index.ts';
import { baseline, readable, refusedCost, toBeCancelled, unstreamed } from '../baselines.ts';
import { runningResponse, type Stored } from '../stored/stored-responses.ts';
import { formsOf } from './request-forms.ts';

/** One request to an endpoint with each wrong credential, and its control. */
interface Attempts {
  /** Request with the protocol's own credential header, and no other. */
  readonly control: Exchange;
  /** One request per form that the endpoint takes, the plain form first. */
  readonly keyless: readonly Exchange[];
  readonly unknownKey: readonly Exchange[];
  /** By axis value: the owner's key in another protocol's header, except headers accepted on purpose. */
  readonly misplaced: ReadonlyMap<string, Exchange>;
}

type Decoy = View<Pick<Stored, 'id'>>;

/** The repeat of the baseline response, which no other scenario reads. */
const repeat: Decoy = view({ repeat: unstreamed.responses }, ({ repeat: { off } }) => ({
  id: idOf(off),
}));

/**
 * Responses for wrong credentials at endpoints that change a response, so that an accepted attempt does not change
 * the response of the baseline request.
 */
const decoys: Partial<Record<EndpointName, Decoy>> = {
  delete: cheaperElsewhere(repeat, readable),
  cancel: cheaperElsewhere(
    runningResponse('requests/credentials/not-to-be-cancelled'),
    toBeCancelled,
  ),
};

export const credentialAttempts = each(endpointNames, attemptsAt);

function attemptsAt(name: EndpointName): Scenario<Attempts> {
  const { actsOn, protocol } = endpoints[name];
  const forms = formsOf(name);
  const foreign = credentials.foreignHeaders(protocol);
  const subject = actsOn === 'none' ? {} : { subject: decoys[name] ?? readable };
  return scenario(
    `requests/credentials/${name}`,
    {
      hostile: 'credentials',
      after: { baseline: baseline[name], ...subject },
      cost: { ...refusedCost(name, 2 * forms.length + foreign.length), chain: 1 },
    },
    async ({ ask, target }, { baseline: { baseline: control, input }, subject }) => {
      const request = { input, ...(subject === undefined ? {} : { id: subject.id }) };
      const inEachForm = (key: 'none' | 'unknown') =>
        Promise.all(forms.map((change) => ask(name, { ...request, change }, { key })));
      const [keyless, unknownKey, ...misplaced] = await Promise.all([
        inEachForm('none'),
        inEachForm('unknown'),
        ...foreign
          .filter((header) => !isAccepted(target, protocol, header))
          .map(async (placement) => {
            return [placement.toLowerCase(), await ask(name, request, { placement })] as const;
          }),
      ]);
      return { control, keyless, unknownKey, misplaced: new Map(misplaced) };
    },
  );
}

/** True if the target file says that the gateway accepts a key in this header of another protocol. */
export function isAccepted(
  { acceptsAlso }: Target,
  protocol: Protocol | 'models',
  header: ReturnType<typeof credentials.foreignHeaders>[number],
): boolean {
  return Object.entries(acceptsAlso).some(
    ([name, headers]) => name === protocol && headers.includes(header),
  );
}

/**
 * Returns the attempt with a key in this header.
 *
 * @throws {NothingToJudge} if it is accepted on purpose
 */
export function notAccepted(attempts: ReadonlyMap<string, Exchange>, header: string): Exchange {
  const attempt = attempts.get(header);
  if (attempt !== undefined) return attempt;
  throw new NothingToJudge('The target file says that this header is accepted, too (acceptsAlso)');
}
