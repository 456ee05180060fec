import {
  type Call,
  type Defect,
  type DialectName,
  type Policy,
  type Refusal,
  type Seams,
  type StoredResponse,
  thinkingFirst,
} from '../reference/index.ts';
import type { Override } from './planting.ts';

// Common replacements for a decision of the gateway. Each returns the `override` of a defect, and leaves the
// original decision in effect where the defect does not apply.

type Arguments = { readonly [Name in keyof Policy]: Parameters<Policy[Name]> };

type Condition = {
  [Name in keyof Policy]: ReturnType<Policy[Name]> extends boolean ? Name : never;
}[keyof Policy];

type Conditions = { readonly [Name in Condition]: (...given: Arguments[Name]) => boolean };

/** Replaces a decision; `native` is the previous one. */
export function decide<Name extends keyof Policy>(
  name: Name,
  decision: (native: Policy[Name]) => Policy[Name],
): Override {
  return ({ policy }) => ({ policy: { [name]: decision(policy[name]) } });
}

/** Makes the model think before each answer over a protocol, and show the thought. */
export function thinksFirst(protocol: DialectName, pieces: readonly string[]): Override {
  return decide('generate', (native) => (prompt, call) => {
    const answer = native(prompt, call);
    const isAnswer = call.dialect.name === protocol && call.operation !== 'responses.compact';
    return isAnswer ? thinkingFirst(answer, pieces, prompt.limit) : answer;
  });
}

type Fits<Name extends Condition> = (...given: Arguments[Name]) => boolean;

/** Decides true where `fits` returns true, and as before elsewhere. */
export function relax<Name extends Condition>(name: Name, fits: Fits<Name>): Override {
  return whereFitting(name, (native, given) => native || fits(...given));
}

/** Decides false where `fits` returns true, and as before elsewhere. */
export function tighten<Name extends Condition>(name: Name, fits: Fits<Name>): Override {
  return whereFitting(name, (native, given) => native && !fits(...given));
}

function whereFitting<Name extends Condition>(
  name: Name,
  change: (native: boolean, given: Arguments[Name]) => boolean,
): Override {
  return ({ policy }) => {
    const native: Conditions = policy;
    return {
      policy: { [name]: (...given: Arguments[Name]) => change(native[name](...given), given) },
    };
  };
}

export function inOneRegion<D extends Defect>(region: string, defect: D): D {
  const { id, what } = defect;
  return {
    ...defect,
    id: `${id}-in-${region}`,
    what: `In region ${region} only: ${what}`,
    regions: [region],
  };
}

/** Restricts an override to the second region. */
export function inUs(override: Override): Pick<Defect, 'regions' | 'override'> {
  return { regions: ['us'], override };
}

/** Treats a request without a valid key as that of the first user, where `fits` returns true. */
export function admit(fits: (secret: string | undefined, call: Call) => boolean): Override {
  return decide(
    'keyFor',
    (native) => (secret, call) =>
      native(secret, call) ?? (fits(secret, call) ? call.gateway.keys[0] : undefined),
  );
}

/** Remembers the ids that were created for matching calls, each with its call, for an override that needs them. */
export function remembering(
  fits: (call: Call, prefix: string) => boolean,
  override: (made: ReadonlyMap<string, Call>) => Override,
): Override {
  return (seams) => {
    const made = new Map<string, Call>();
    const id: Seams['encode']['id'] = (prefix, call) => {
      const given = seams.encode.id(prefix, call);
      if (fits(call, prefix)) made.set(given, call);
      return given;
    };
    const encode = { ...seams.encode, id };
    const overrides = override(made)({ ...seams, encode });
    return { ...overrides, encode: { id, ...overrides.encode } };
  };
}

/** Creation modes of a response, by the call that creates it. */
export const creationModes = {
  'one-body': ({ body, operation }) =>
    operation === 'responses.create' &&
    [body.stream, body.background].every((one) => one !== true) &&
    body.previous_response_id === undefined,
  'background-stream': ({ body }) => body.background === true && body.stream === true,
  stream: ({ body }) => body.stream === true && body.background !== true,
  background: ({ body }) => body.background === true && body.stream !== true,
  websocket: ({ operation }) => operation === 'responses.websocket',
  continuation: ({ body, operation }) =>
    typeof body.previous_response_id === 'string' && operation === 'responses.create',
} satisfies Record<string, (created: Call) => boolean>;

/** Returns an override that knows which responses a kind of call has created. */
export function madeBy(
  fits: (created: Call) => boolean,
  override: (isOne: (record: StoredResponse) => boolean) => Override,
): Override {
  return remembering(fits, (made) => override(({ id }) => made.has(id)));
}

/** True if a request continues a response. */
export function continues({ body }: Call): boolean {
  return body.previous_response_id !== undefined;
}

/** Changes the output limit of matching requests that set one. */
export function limited(
  fits: (call: Call) => boolean,
  change: (limit: number) => number | null,
): Override {
  return decide('outputLimit', (native) => (asked, call) => {
    const limit = native(asked, call);
    return limit !== null && fits(call) ? change(limit) : limit;
  });
}

/** Changes the answer to a count of input tokens for matching requests. */
export function counting(
  fits: (call: Call) => boolean,
  counted: (inputTokens: number) => number,
): Override {
  return decide('counted', (original) => (inputTokens, call) => {
    const native = original(inputTokens, call);
    return fits(call) ? counted(native) : native;
  });
}

/**
 * Serves a request that should be refused for a matching reason, even if it has further defects. Other bad requests
 * are still refused.
 */
export function forgiving(fits: (refusal: Refusal, call: Call) => boolean): Defect['override'] {
  return ({ policy }) => {
    const forgiven = new WeakSet<object>();
    return {
      policy: {
        insists: (refusal, call) => {
          // Object that identifies a request while it is read.
          const request = call.operation === 'responses.websocket' ? call.body : call.headers;
          if (fits(refusal, call)) forgiven.add(request);
          return !forgiven.has(request) && policy.insists(refusal, call);
        },
      },
    };
  };
}
