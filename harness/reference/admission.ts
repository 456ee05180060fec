import type { Asked, AskedCapability } from './asked.ts';
import type { Call } from './call.ts';
import type { FixtureModel } from './fixture-models.ts';
import type { Json } from './json.ts';
import type { Key } from './keys.ts';
import { hint } from './mock/hint.ts';
import { quoted, Refusal } from './refusal.ts';

/**
 * Throws the refusal if the policy insists on its rule. Otherwise it returns, and the caller continues as if the
 * request were valid.
 */
export function insist(call: Call, refusal: Refusal): void {
  if (call.gateway.seams.policy.insists(refusal, call)) throw refusal;
}

const theKeys = 'This mock prints its keys when it starts; in a test they are `mock.keys`.';
const theModels =
  'GET /v1/models lists those of this mock. It serves any other that `--model` (in a test `models`) names, or a rule of a script in `when: { model }`.';

/** Returns the key of the call. If the protocol has a version header, checks that second. */
export function authenticate(call: Call): Key {
  const { gateway, dialect } = call;
  const { policy } = gateway.seams;
  const place = dialect.credential(gateway);
  let secret = policy.credential(place, call);
  if (secret === undefined && gateway.isMock) {
    const further = dialect.furtherCredentials?.(gateway) ?? [];
    secret = further.map((one) => policy.credential(one, call)).find((one) => one !== undefined);
  }
  const key = policy.keyFor(secret, call);
  if (key === undefined) {
    const where = place.scheme === null ? place.header : `${place.header}: ${place.scheme} <key>`;
    throw secret === undefined
      ? new Refusal('no-key', `No API key provided. Send it in the header ${where}.`)
      : new Refusal('unknown-key', `Incorrect API key provided.${hint(gateway, theKeys)}`);
  }
  const versionHeader = dialect.versionHeader?.(gateway);
  if (versionHeader !== undefined) {
    const version = call.headers[versionHeader.toLowerCase()];
    const value = typeof version === 'string' ? version : undefined;
    if (!policy.versionAccepted(value, call)) {
      insist(
        call,
        new Refusal(
          'version-required',
          value === undefined
            ? `${versionHeader}: header is required`
            : `${versionHeader}: ${quoted(value)} is not a valid version; send a date, YYYY-MM-DD`,
        ),
      );
    }
  }
  return key;
}

/**
 * Returns the model that a request names, if this key may use it over this protocol.
 *
 * @param id as in the request: `model` of a body, or the id in the path
 */
export function admitModel(id: Json | undefined, call: Call, key: Key): FixtureModel {
  const { policy } = call.gateway.seams;
  if (id === undefined || id === null) {
    insist(call, new Refusal('missing-parameter', "Missing required parameter: 'model'.", 'model'));
  } else if (typeof id !== 'string') {
    insist(call, new Refusal('wrong-type', "'model' has to be a string.", 'model'));
  }
  const name = typeof id === 'string' ? id : (call.gateway.models[0]?.id ?? '');
  const model = policy.findModel(name, call);
  if (model === undefined) {
    const next = hint(call.gateway, theModels);
    throw new Refusal('unknown-model', `The model ${quoted(name)} does not exist.${next}`, 'model');
  }
  if (!policy.mayUseModel(key, model, call)) {
    throw new Refusal(
      'unpermitted-model',
      `This API key has no permission for the model ${quoted(name)}.`,
      'model',
    );
  }
  const { declaredAs } = call.dialect;
  if (declaredAs !== null && !policy.speaks(model, declaredAs, call)) {
    throw new Refusal(
      'undeclared-protocol',
      `The model ${quoted(name)} does not declare the protocol '${declaredAs}'.`,
      'model',
    );
  }
  return model;
}

/** Refuses a request for a capability that the model's channel lacks. `param` is the member that requests it. */
export function requireCapability(
  model: FixtureModel,
  capability: string,
  call: Call,
  param: string | null = null,
): void {
  if (call.gateway.seams.policy.supports(model, capability, call)) return;
  throw new Refusal(
    'unsupported-capability',
    `The channel of the model ${quoted(model.id)} does not support '${capability}'.`,
    param,
  );
}

/**
 * Returns a feature that a request asks for; null without one (an empty list requests none), or if the policy
 * ignores the feature. Refuses the request if the model's channel lacks the feature.
 *
 * @param param the member that requests it
 */
export function admitAsked<Wanted>(
  asked: AskedCapability,
  wanted: Wanted | null,
  param: string,
  model: FixtureModel,
  call: Call,
): Wanted | null {
  if (wanted === null || (Array.isArray(wanted) && wanted.length === 0)) return null;
  if (!call.gateway.seams.policy.honours(asked, call)) return null;
  requireCapability(model, asked, call, param);
  return wanted;
}

/** Returns the kind of thinking that a request asks for. Refuses the request if the model cannot think. */
export function admitThinking(
  asked: Asked['thinks'],
  param: string,
  model: FixtureModel,
  call: Call,
): Asked['thinks'] {
  if (asked === null || model.thinks) return asked;
  const message = `The model ${quoted(model.id)} does not think: leave out '${param}'.`;
  insist(call, new Refusal('unsupported-capability', message, param));
  return null;
}

/** Maximum output limit for any model. */
const largestLimit = 2 ** 31 - 1;

/**
 * Returns the output limit of a request, as the policy applies it; null without one.
 *
 * @param param name of the member, for the refusal
 * @param smallest the protocol's minimum
 */
export function outputLimit(
  value: Json | undefined,
  param: string,
  smallest: number,
  call: Call,
): number | null {
  const { policy } = call.gateway.seams;
  if (value === undefined || value === null) return policy.outputLimit(null, call);
  if (typeof value !== 'number' || (Number.isFinite(value) && !Number.isInteger(value))) {
    insist(call, new Refusal('wrong-type', `'${param}' has to be an integer.`, param));
  } else if (value > largestLimit) {
    insist(call, new Refusal('limit-too-large', `'${param}' is too large.`, param));
  } else if (value < smallest) {
    insist(
      call,
      new Refusal('limit-too-small', `'${param}' has to be at least ${smallest}.`, param),
    );
  }
  const asked = typeof value === 'number' ? Math.max(1, Math.floor(value)) : null;
  return policy.outputLimit(asked, call);
}
