import {
  bodyEndpoints,
  type Call,
  type EndpointName,
  endpoints,
  fixtureModels,
  modelEndpoints,
  Refusal,
} from '../../reference/index.ts';
import { admit, counting, decide, forgiving, relax, tighten } from '../decisions.ts';
import { endpointOf, handlingAll, type Override, together } from '../planting.ts';
import {
  type Decision,
  type Fits as FitsAt,
  type Plantable,
  plantable,
  type Shown,
} from './decision.ts';
import { type Mode, type Seen, seeing } from './seen.ts';

// Decisions about a request before the generation: by key, model and form.

/** Endpoint of a request. The recovery of a stream, at the path of a lookup, is a separate one. */
export type Endpoint = EndpointName | 'recover';

/** A request, by the values that a decision may wrongly depend on. */
export type RequestPoint = Readonly<{ region: string; endpoint: Endpoint; mode: Mode }>;

export const regions = ['eu', 'us'] as const;

/** No clause specifies the models of a further region, or the capabilities of their channels there. */
const offering = ['eu'] as const;

const allEndpoints: readonly Endpoint[] = [...endpoints, 'recover'];

const severalModes: Partial<Record<Endpoint, readonly Mode[]>> = {
  responses: ['plain', 'stream', 'background'],
  'chat-completions': ['plain', 'stream'],
  messages: ['plain', 'stream'],
  'stream-generate-content': ['stream'],
  'alternate-path': ['plain', 'stream', 'count'],
  websocket: ['plain', 'later-turn'],
};

/** Returns the modes of requests to an endpoint, without those of stored responses. */
export function modesAt(endpoint: Endpoint): readonly Mode[] {
  return severalModes[endpoint] ?? ['plain'];
}

/** Returns each of these endpoints in each region and mode. */
export function requestPoints(
  these: readonly Endpoint[],
  breaks: (endpoint: Endpoint) => readonly string[],
  fits: (point: RequestPoint) => boolean = () => true,
): Shown<RequestPoint>[] {
  return regions
    .flatMap((region) =>
      these.flatMap((endpoint) => modesAt(endpoint).map((mode) => ({ region, endpoint, mode }))),
    )
    .filter(fits)
    .map((at) => ({ at, breaks: breaks(at.endpoint) }));
}

export function endpointAt(call: Call): Endpoint | null {
  return call.operation === 'responses.recover' ? 'recover' : endpointOf(call);
}

/** Returns the point of a call, or null without an endpoint. */
export function requestPoint(call: Call, { modeOf }: Seen): RequestPoint | null {
  const endpoint = endpointAt(call);
  if (endpoint === null) return null;
  return { region: call.gateway.region, endpoint, mode: modeOf(call) };
}

type Fits = FitsAt<RequestPoint>;

const fitting =
  (fits: Fits, seen: Seen) =>
  (call: Call): boolean => {
    const point = requestPoint(call, seen);
    return point !== null && fits(point, call);
  };

/** Plants a decision about requests, with a predicate for the calls that it is wrong for. */
export const asked =
  (override: (isWrong: (call: Call) => boolean) => Override) =>
  (fits: Fits): Override =>
    seeing((seen) => override(fitting(fits, seen)));

/**
 * Skips a check before the body is read, for requests whose body then matches. Any other request is refused after that.
 */
function skipping(
  fits: Fits,
  refusal: Refusal,
  override: (skip: (call: Call) => boolean) => Override,
): Override {
  return seeing((seen) => (seams) => {
    const skipped = new WeakSet<object>();
    const skip = (call: Call): boolean => {
      if (call.operation === 'responses.websocket') return fitting(fits, seen)(call);
      skipped.add(call.headers);
      return true;
    };
    const isLeft = (call: Call): boolean => skipped.has(call.headers) && !fitting(fits, seen)(call);
    return together(override(skip), refusing(refusal, isLeft))(seams);
  });
}

/** A key is sent only once, when the connection opens. */
const opening = ({ mode }: RequestPoint): boolean => mode !== 'later-turn';

const noKey = new Refusal('no-key', 'No API key provided.');
const unknownKey = new Refusal('unknown-key', 'Incorrect API key provided.');
const noVersion = new Refusal('version-required', 'The version header is not a valid version.');

const versioned = ['messages', 'messages-count-tokens'] as const;

/** Returns the clause for the protocol's own header, which must be present. */
const ownHeader = (endpoint: Endpoint): readonly string[] => {
  if (endpoint.startsWith('messages')) return ['AUTH-5'];
  if (['chat-completions', 'systemone', 'models'].includes(endpoint)) return ['AUTH-GAP-1'];
  return [/content|count-tokens|alternate|catalog/.test(endpoint) ? 'AUTH-7' : 'AUTH-4'];
};

const keys: readonly Decision<RequestPoint>[] = [
  {
    id: 'keyFor.none',
    what: 'A request without a key is served',
    shown: requestPoints(allEndpoints, () => ['AUTH-1'], opening),
    override: (fits) =>
      skipping(fits, noKey, (skip) => admit((_, call) => showsNothing(call) && skip(call))),
  },
  {
    id: 'keyFor.unknown',
    what: 'A key that does not exist is taken',
    shown: requestPoints(allEndpoints, () => ['AUTH-1', 'AUTH-2'], opening),
    override: (fits) =>
      skipping(fits, unknownKey, (skip) =>
        admit((secret, call) => secret !== undefined && skip(call)),
      ),
  },
  {
    id: 'keyFor.denies',
    what: 'A good key is refused',
    shown: requestPoints(allEndpoints, ownHeader, opening),
    override: asked((isWrong) =>
      together(
        decide('keyFor', (native) => (secret, call) => {
          const isUpgrade = call.operation === 'responses.websocket';
          return isUpgrade && isWrong(call) ? undefined : native(secret, call);
        }),
        refusing(unknownKey, isWrong),
      ),
    ),
  },
  {
    id: 'versionAccepted.none',
    what: 'The version header of Messages may be left out',
    shown: requestPoints(versioned, () => ['AUTH-6']),
    override: (fits) =>
      skipping(fits, noVersion, (skip) =>
        relax('versionAccepted', (version, call) => version === undefined && skip(call)),
      ),
  },
  {
    id: 'versionAccepted.any',
    what: 'The version header of Messages may say anything',
    shown: requestPoints(versioned, () => ['VER-3']),
    override: (fits) =>
      skipping(fits, noVersion, (skip) =>
        relax('versionAccepted', (version, call) => version !== undefined && skip(call)),
      ),
  },
];

/** True without a key in any header or the query. */
function showsNothing({ headers, query, gateway: { names } }: Call): boolean {
  const vendorB = `x-${names.vendorB}-api-key`.toLowerCase();
  const inHeaders = ['authorization', 'x-api-key', vendorB].some((name) => name in headers);
  return !inHeaders && !query.has('key') && !query.has('api_key');
}

/** Refuses matching requests after their body has been read. */
export function refusing(refusal: Refusal, fits: (call: Call) => boolean): Override {
  return handlingAll((handle) => (call, key) => {
    if (fits({ ...call, key })) throw refusal;
    return handle(call, key);
  });
}

type HeaderPoint = Readonly<{ region: string; endpoint: Endpoint; header: string }>;

const headers = ['bearer', 'x-api-key', 'vendorb-api-key'] as const;
const headerOf: Readonly<Record<string, (typeof headers)[number]>> = {
  'AUTH-4': 'bearer',
  'AUTH-5': 'x-api-key',
  'AUTH-7': 'vendorb-api-key',
};

const foreignHeader: Decision<HeaderPoint> = {
  id: 'credential.foreign',
  what: "A key is taken from another protocol's header",
  // No source shows a header for Chat Completions, System One and the list, so none is foreign there.
  shown: requestPoints(endpoints, ownHeader, opening).flatMap(({ at, breaks: [own = ''] }) =>
    headers
      .filter((header) => own !== 'AUTH-GAP-1' && header !== headerOf[own])
      .map((header) => ({
        at: { region: at.region, endpoint: at.endpoint, header },
        breaks: [
          'access/credentials.foreign-header-refused',
          'access/credentials.own-header-decides',
        ],
      })),
  ),
  override: (fits) =>
    decide('credential', (native) => (place, call) => {
      const own = native(place, call);
      const endpoint = endpointAt(call);
      if (own !== undefined || endpoint === null || endpoint === 'recover') return own;
      const { region } = call.gateway;
      return headers
        .filter((header) => fits({ region, endpoint, header }, call))
        .map((header) => keyShownIn(header, call))
        .find((secret) => secret !== undefined);
    }),
};

function keyShownIn(header: (typeof headers)[number], call: Call): string | undefined {
  const names = {
    bearer: 'authorization',
    'x-api-key': 'x-api-key',
    'vendorb-api-key': `x-${call.gateway.names.vendorB}-api-key`.toLowerCase(),
  };
  const value = call.headers[names[header]];
  return typeof value === 'string' ? value.replace(/^Bearer +/i, '') : undefined;
}

const models: readonly Decision<RequestPoint>[] = [
  {
    id: 'mayUseModel',
    what: 'A key may use a model outside its permissions',
    shown: requestPoints(modelEndpoints, () => ['MODEL-7', 'AUTH-2']),
    override: asked((isWrong) => relax('mayUseModel', (_key, _model, call) => isWrong(call))),
  },
  {
    id: 'findModel.unknown',
    what: 'An unknown model is served with the default one',
    shown: requestPoints(modelEndpoints, () => ['MODEL-1', 'MEMBER-1']),
    override: asked((isWrong) =>
      decide('findModel', (native) => (id, call) => {
        const model = native(id, call);
        const replaced = model === undefined && id.length < 200 && isWrong(call);
        return replaced ? call.gateway.models[0] : model;
      }),
    ),
  },
  {
    id: 'speaks.undeclared',
    what: 'A model is served over a protocol that it does not declare',
    shown: requestPoints(modelEndpoints, () => ['MODEL-6']),
    override: asked((isWrong) =>
      together(
        relax('speaks', (_model, _declared, call) => isWrong(call)),
        // The capabilities of a model's channel depend on its protocols.
        relax(
          'supports',
          (model, _capability, call) =>
            !model.protocols.includes(call.dialect.declaredAs ?? '') && isWrong(call),
        ),
      ),
    ),
  },
];

type DeclaredPoint = Readonly<{ region: string; protocol: string; model: string }>;

/** Protocol identifiers, as the dialects declare them. */
const declaredAs: Readonly<Record<string, string>> = {
  responses: 'responses',
  'vendorA-messages': 'messages',
  vendorB: 'generative',
  chat: 'chat-completions',
  systemone: 'systemone',
};

const declared: Decision<DeclaredPoint> = {
  id: 'speaks.denies',
  what: 'A model is refused over a protocol that it declares',
  shown: offering.flatMap((region) =>
    fixtureModels().flatMap(({ id, protocols }) =>
      protocols.map((name) => ({
        at: { region, protocol: declaredAs[name] ?? name, model: nameOfModel(id) },
        breaks: ['MODEL-6', 'MODEL-4'],
      })),
    ),
  ),
  override: (fits) =>
    tighten('speaks', (model, _declared, call) => {
      const { region } = call.gateway;
      return fits({ region, protocol: call.dialect.name, model: nameOfModel(model.id) }, call);
    }),
};

function nameOfModel(id: string): string {
  return id.replace(/[^a-z0-9-]+/g, '-');
}

type CapabilityPoint = RequestPoint & Readonly<{ capability: string }>;

const capabilities: readonly (readonly [string, Endpoint, Mode])[] = [
  ['background', 'responses', 'background'],
  ['compact', 'compact', 'plain'],
  ['input_tokens', 'input-tokens', 'plain'],
  ['websocket', 'websocket', 'plain'],
  ['websocket', 'websocket', 'later-turn'],
  ['count_tokens', 'messages-count-tokens', 'plain'],
  ['vendorB-count', 'count-tokens', 'plain'],
  ['vendorB-count', 'alternate-path', 'count'],
  ['stream', 'responses', 'stream'],
  ['stream', 'chat-completions', 'stream'],
  ['stream', 'messages', 'stream'],
  ['stream', 'stream-generate-content', 'stream'],
  ['stream', 'alternate-path', 'stream'],
];

const capabilityPoints = (breaks: 'CAP-1' | 'CAP-2'): Shown<CapabilityPoint>[] =>
  (breaks === 'CAP-1' ? offering : regions).flatMap((region) =>
    capabilities.map(([capability, endpoint, mode]) => ({
      at: { region, endpoint, mode, capability },
      // A connection that serves only a single turn violates the requirements on connections.
      breaks: [breaks, ...(mode === 'later-turn' ? ['websocket/connection'] : [])],
    })),
  );

const channels: readonly Decision<CapabilityPoint>[] = (['CAP-2', 'CAP-1'] as const).map(
  (clause) => ({
    id: clause === 'CAP-2' ? 'supports' : 'supports.denies',
    what:
      clause === 'CAP-2'
        ? 'A capability is served that the channel of the model lacks'
        : 'A capability of the channel is refused',
    shown: capabilityPoints(clause),
    override: (fits) =>
      seeing((seen) =>
        (clause === 'CAP-2' ? relax : tighten)('supports', (_model, capability, call) => {
          const point = requestPoint(call, seen);
          return point !== null && fits({ ...point, capability }, call);
        }),
      ),
  }),
);

type RulePoint = RequestPoint & Readonly<{ rule: string }>;

/** Members that carry the input of a request. */
const inputMembers = ['input', 'messages', 'contents', 'questions'];

/** Rules about bodies. A body that is not a JSON object has no known mode. */
const rules: readonly {
  readonly rule: string;
  readonly fits: (refusal: Refusal) => boolean;
  readonly at: readonly Endpoint[];
  readonly breaks: string;
  readonly plainOnly?: boolean;
}[] = [
  ...(['malformed-json', 'empty-body', 'not-an-object'] as const).map((rule) => ({
    rule,
    fits: ({ reason }: Refusal) => reason === rule,
    at: bodyEndpoints,
    breaks: `input/requests.${rule}`,
    plainOnly: true,
  })),
  {
    rule: 'wrong-type',
    fits: ({ reason, param }) => reason === 'wrong-type' && inputMembers.includes(param ?? ''),
    at: bodyEndpoints,
    breaks: 'input/requests.wrong-types',
  },
  {
    rule: 'model-required',
    fits: ({ reason, param }) => reason === 'missing-parameter' && param === 'model',
    at: modelEndpoints.filter((name) => !/content|alternate|^count/.test(name)),
    breaks: 'access/protocols.model-required',
  },
  {
    rule: 'unknown-previous-response',
    fits: ({ reason }) => reason === 'unknown-previous-response',
    at: ['responses', 'websocket'],
    breaks: 'storage/responses.unknown-id-denied',
  },
  {
    rule: 'background-needs-store',
    fits: ({ reason }) => reason === 'background-needs-store',
    at: ['responses'],
    breaks: 'STORE-8',
  },
];

const insisting: Decision<RulePoint> = {
  id: 'insists',
  what: 'A bad request is served',
  shown: rules.flatMap(({ rule, at: these, breaks, plainOnly = false }) =>
    requestPoints(
      these,
      () => [breaks],
      ({ endpoint, mode }) => {
        if (rule === 'background-needs-store') return mode === 'background';
        // On a connection that has named a model, a further turn need not name one.
        if (rule === 'model-required' && mode === 'later-turn') return false;
        return !plainOnly || mode === modesAt(endpoint)[0];
      },
    ).map(({ at, breaks: broken }) => ({ at: { ...at, rule }, breaks: broken })),
  ),
  override: (fits) =>
    seeing((seen) =>
      forgiving((refusal, call) => {
        const point = requestPoint(call, seen);
        if (point === null) return false;
        return rules.some((one) => one.fits(refusal) && fits({ ...point, rule: one.rule }, call));
      }),
    ),
};

const countingEndpoints = ['messages-count-tokens', 'count-tokens', 'input-tokens'] as const;

const counted: Decision<RequestPoint> = {
  id: 'counted',
  what: 'Every count is the same',
  shown: requestPoints(
    [...countingEndpoints, 'alternate-path'],
    () => ['counting/responses', 'counting/messages', 'counting/generative', 'generation/paths'],
    ({ endpoint, mode }) => endpoint !== 'alternate-path' || mode === 'count',
  ),
  override: asked((isWrong) => counting(isWrong, () => 7)),
};

type ListPoint = Readonly<{ region: string; list: string; actor: string }>;

const lists: readonly Decision<ListPoint>[] = (['admits', 'denies'] as const).map((direction) => ({
  id: direction === 'admits' ? 'listedModels' : 'listedModels.denies',
  what:
    direction === 'admits'
      ? 'A list shows models outside the permissions of the key'
      : 'A list does not show a model that the key may use',
  shown: (direction === 'admits' ? regions : offering).flatMap((region) =>
    (['list', 'catalog'] as const).flatMap((list) =>
      (direction === 'admits' ? ['restricted'] : ['owner', 'restricted']).map((actor) => ({
        at: { region, list, actor },
        breaks: [direction === 'admits' ? 'MODEL-8' : `models/${list}`, 'MODEL-8'],
      })),
    ),
  ),
  override: (fits) =>
    decide('listedModels', (native) => (key, call) => {
      const shown = native(key, call);
      const { region } = call.gateway;
      const list = call.operation === 'models.list' ? 'list' : 'catalog';
      if (!fits({ region, list, actor: key.role }, call)) return shown;
      const [owner = key] = call.gateway.keys;
      if (direction === 'admits') return native(owner, call);
      return shown.filter(({ id }) => id !== 'ts-omni' && id !== 'ts-shared');
    }),
}));

export function requestDecisions(): Plantable[] {
  return [
    ...keys.map(plantable),
    plantable(foreignHeader),
    ...models.map(plantable),
    plantable(declared),
    ...channels.map(plantable),
    plantable(insisting),
    plantable(counted),
    ...lists.map(plantable),
  ];
}
