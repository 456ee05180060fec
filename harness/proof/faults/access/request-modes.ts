import { type Call, type Defect, type EndpointName, Refusal } from '../../../reference/index.ts';
import { admit, continues, decide, relax } from '../../decisions.ts';
import { endpointOf, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { planted } from '../planted.ts';
import { undeclaredServed } from './models.ts';

// Conditions that are checked for the plain request, and not in another request mode.

interface Form {
  /** The name in the ids of faults: `responses-streamed`. */
  readonly id: string;
  readonly endpoint: EndpointName;
  /** Decides for calls of the endpoint, once their body has been read. */
  fits(call: Call): boolean;
  /** The protocol whose refused streams are judged by how they are refused. */
  readonly stream?: string;
}

const isStream = ({ body }: Call): boolean => body.stream === true;

function streamed(endpoint: 'responses' | 'chat-completions' | 'messages'): Form {
  return { id: `${endpoint}-streamed`, endpoint, fits: isStream, stream: endpoint };
}

const forms: readonly Form[] = [
  streamed('responses'),
  streamed('chat-completions'),
  streamed('messages'),
  {
    id: 'responses-in-background',
    endpoint: 'responses',
    fits: ({ body }) => body.background === true,
  },
  {
    id: 'alternate-path-streamed',
    endpoint: 'alternate-path',
    fits: ({ operation }) => operation === 'generative.stream',
  },
  {
    id: 'alternate-path-counted',
    endpoint: 'alternate-path',
    fits: ({ operation }) => operation === 'generative.count-tokens',
  },
];

function isOne({ endpoint, fits }: Form, call: Call): boolean {
  return endpointOf(call) === endpoint && fits(call);
}

/** Skips a check that comes before the body is read; other forms are refused later. */
function skippedCheck(
  form: Form,
  refusal: Refusal,
  override: (skip: (call: Call) => boolean) => Defect['override'],
): Defect['override'] {
  return (seams) => {
    const skipped = new WeakSet<object>();
    const skip = (call: Call): boolean => {
      if (endpointOf(call) !== form.endpoint) return false;
      skipped.add(call.headers);
      return true;
    };
    const later: Defect['override'] = ({ endpoints }) => ({
      endpoints: {
        routes: (dialect) =>
          endpoints.routes(dialect).map((route) => ({
            ...route,
            handle: (call, key) => {
              if (skipped.has(call.headers) && !form.fits(call)) throw refusal;
              return route.handle(call, key);
            },
          })),
      },
    });
    return together(override(skip), later)(seams);
  };
}

function keyless(form: Form): Fault {
  return {
    id: `auth.keyless-${form.id}`,
    what: `Requests without a key are served where they ask for ${form.id}.`,
    breaks: [`access/credentials.key-required:${form.endpoint}`],
    override: skippedCheck(form, new Refusal('no-key', 'No API key provided.'), (skip) =>
      admit((secret, call) => secret === undefined && skip(call)),
    ),
  };
}

function anyKey(form: Form): Fault {
  const refusal = new Refusal('unknown-key', 'Incorrect API key provided.');
  return {
    id: `auth.any-key-${form.id}`,
    what: `A key that does not exist is taken where a request asks for ${form.id}.`,
    breaks: [`access/credentials.unknown-key-refused:${form.endpoint}`],
    override: skippedCheck(form, refusal, (skip) =>
      admit((secret, call) => secret !== undefined && skip(call)),
    ),
  };
}

/** The version header of Messages, by what the form without a stream says of it. */
function unversioned(row: string, fits: (version: string | undefined) => boolean): Fault {
  const form = streamed('messages');
  const refusal = new Refusal('version-required', 'The version header is not a valid version.');
  return {
    id: `auth.streamed-${row}`,
    what: 'The version header of Messages is not looked at where a stream is asked for.',
    breaks: [`access/credentials.${row}:messages`],
    override: skippedCheck(form, refusal, (skip) =>
      relax('versionAccepted', (version, call) => fits(version) && skip(call)),
    ),
  };
}

/** A recovery is known by its query, before a body is read. */
function recoveredBy(key: 'none' | 'unknown'): Fault {
  return {
    id: key === 'none' ? 'auth.recovery-without-key' : 'auth.recovery-with-unknown-key',
    what:
      key === 'none'
        ? 'The stream of a stored response is recovered without a key.'
        : 'The stream of a stored response is recovered with a key that does not exist.',
    breaks: [`access/credentials.recovery-needs-key:${key}`],
    override: admit(
      (secret, call) =>
        call.operation === 'responses.recover' && (secret === undefined) === (key === 'none'),
    ),
  };
}

function unpermitted(form: Form): Fault {
  return {
    id: `permissions.unpermitted-${form.id}`,
    what: `Every key may use every model where it asks for ${form.id}.`,
    breaks: [`access/permissions.unpermitted-model-refused:${form.endpoint}`],
    override: relax('mayUseModel', (_key, _model, call) => isOne(form, call)),
  };
}

function undeclared(form: Form): Fault {
  return {
    id: `protocols.undeclared-${form.id}`,
    what: `The declaration of a model is not looked at where ${form.id} is asked for.`,
    breaks: [`access/protocols.undeclared-refused:${form.endpoint}`],
    override: undeclaredServed((call) => isOne(form, call)),
  };
}

function unknown(form: Form): Fault {
  return {
    id: `protocols.unknown-model-${form.id}`,
    what: `An unknown model is served with the default one where ${form.id} is asked for.`,
    breaks: [`access/protocols.unknown-model-refused:${form.endpoint}`],
    override: decide(
      'findModel',
      (native) => (id, call) =>
        native(id, call) ?? (isOne(form, call) ? call.gateway.models[0] : undefined),
    ),
  };
}

/** A capability that the channel of a model lacks, in another request mode. */
function unsupported(id: string, row: string, asked: string, fits: (call: Call) => boolean): Fault {
  return {
    id: `capabilities.${id}-anyway`,
    what: `The capability ${row} is served for models that lack it: ${id}.`,
    breaks: [`access/capabilities.unsupported-refused:${row}`],
    override: relax('supports', (_model, capability, call) => capability === asked && fits(call)),
  };
}

const isAlternate = (call: Call): boolean => endpointOf(call) === 'alternate-path';

const formFaults: readonly Fault[] = [
  unsupported('alternate-count', 'vendorb-count', 'vendorB-count', isAlternate),
  unsupported('alternate-stream', 'stream-generative', 'stream', isAlternate),
  ...forms.map(keyless),
  ...forms.map(anyKey),
  unversioned('messages-version-required', (version) => version === undefined),
  unversioned('version-is-a-date', (version) => version !== undefined),
  ...forms.map(unpermitted),
  ...(['none', 'unknown'] as const).map(recoveredBy),
  // The faults of streams are in `models.ts`.
  ...forms.filter(({ stream }) => stream === undefined).map(undeclared),
  ...forms.map(unknown),
  ...planted({
    'capabilities.background-stream-anyway': relax(
      'supports',
      (_model, _capability, call) => call.body.background === true && isStream(call),
    ),
    'background.unstored-stream': relax('backgroundAllowed', (execution) => execution.stream),
  }),
];

// Conditions that are checked in the first turn of a connection or conversation only.

/** An override that asks which turns are on a connection that has served one before. */
function laterOnConnection(
  override: (isLater: (call: Call) => boolean) => Defect['override'],
): Defect['override'] {
  return (seams) => {
    const used = new Set<string>();
    const noted: Defect['override'] = ({ encode }) => ({
      encode: {
        id: (prefix, call) => {
          // Items of the input get ids before the previous response is looked up.
          const isResponse = call.operation === 'responses.websocket' && prefix === 'resp_';
          if (isResponse) used.add(call.requestId);
          return encode.id(prefix, call);
        },
      },
    });
    return together(
      noted,
      override(({ requestId }) => used.has(requestId)),
    )(seams);
  };
}

const conditions = [
  [
    'owners',
    'isSameUser',
    'access/owners.other-user-denied:continue-websocket',
    "another user's response",
  ],
  [
    'regions',
    'isOriginalRegion',
    'access/regions.other-region-denied:continue-websocket',
    "another region's response",
  ],
  [
    'permissions',
    'isModelPermitted',
    'access/permissions.lookup-needs-model:continue-websocket',
    'a response of a model that the key may not use',
  ],
] as const;

const laterTurnFaults: readonly Fault[] = [
  ...conditions.map(
    ([area, condition, row, whose]): Fault => ({
      id: `${area}.first-turn-only`,
      what: `A connection that has served a turn continues ${whose}.`,
      breaks: [row],
      override: laterOnConnection((isLater) =>
        together(
          relax(condition, (access) => isLater(access.call)),
          // The continuation names the same model.
          relax(
            'mayUseModel',
            (_key, _model, call) =>
              condition === 'isModelPermitted' && isLater(call) && continues(call),
          ),
        ),
      ),
    }),
  ),
  ...planted({
    'permissions.any-model-in-later-turn': laterOnConnection((isLater) =>
      relax('mayUseModel', (_key, _model, call) => isLater(call)),
    ),
    'protocols.any-model-in-later-turn': laterOnConnection((isLater) =>
      together(
        relax('speaks', (_model, _protocol, call) => isLater(call)),
        // A model that does not speak the protocol has no WebSocket, either.
        relax('supports', (_model, _capability, call) => isLater(call)),
      ),
    ),
    'protocols.unknown-model-in-later-turn': laterOnConnection((isLater) =>
      decide('findModel', (native) => (id, call) => {
        const model = native(id, call);
        return model === undefined && isLater(call) ? call.gateway.models[0] : model;
      }),
    ),
    'capabilities.any-channel-in-later-turn': laterOnConnection((isLater) =>
      relax('supports', (_model, _capability, call) => isLater(call)),
    ),
    'protocols.any-model-to-continue': relax(
      'speaks',
      (_model, _protocol, call) => call.operation === 'responses.create' && continues(call),
    ),
    'permissions.any-model-to-continue': relax(
      'mayUseModel',
      (_key, _model, call) => call.operation === 'responses.create' && continues(call),
    ),
  }),
];

export const accessRequestModesFaults: readonly Fault[] = [...formFaults, ...laterTurnFaults];
