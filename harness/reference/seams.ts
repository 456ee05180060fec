import type { Encode, Seams } from './call.ts';
import { defaultFrames } from './frames.ts';
import { randomDigits } from './ids.ts';
import { defaultPolicy } from './policy.ts';
import { defaultTransport } from './transport.ts';

/** Functions that a defect replaces; all others stay unchanged. */
export type Overrides = { readonly [Room in keyof Seams]?: Partial<Seams[Room]> };

/** A planted fault, or a legal variant. */
export interface Defect {
  readonly id: string;
  readonly what: string;
  /** Regions that have the defect. Default: all. */
  readonly regions?: readonly string[];
  /** True if the defect shows only behind TLS, where HTTP/2 is available. */
  readonly isSecure?: true;
  /** Returns the replaced functions. `seams` are the previous functions, to call where the defect does not apply. */
  override(seams: Seams): Overrides;
}

export const defaultEncode: Encode = {
  body: (_kind, body) => body,
  status: (_kind, status) => status,
  headers: (_kind, headers) => headers,
  id: (prefix) => prefix + randomDigits(),
};

export const defaultSeams: Seams = {
  endpoints: { routes: ({ routes }) => routes },
  policy: defaultPolicy,
  encode: defaultEncode,
  frames: defaultFrames,
  transport: defaultTransport,
};

export function withDefect(defect: Defect | undefined, seams: Seams = defaultSeams): Seams {
  const overrides = defect?.override(seams) ?? {};
  return {
    endpoints: { ...seams.endpoints, ...overrides.endpoints },
    policy: { ...seams.policy, ...overrides.policy },
    encode: { ...seams.encode, ...overrides.encode },
    frames: { ...seams.frames, ...overrides.frames },
    transport: { ...seams.transport, ...overrides.transport },
  };
}
