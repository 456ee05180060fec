/** Status of each reason to refuse a request. Each reason is one rule that the gateway enforces. */
export const refusalStatus = {
  'no-key': 401,
  'unknown-key': 401,
  'version-required': 400,
  'unknown-path': 404,
  'wrong-method': 405,
  'upgrade-required': 426,
  'body-too-large': 413,
  'empty-body': 400,
  'malformed-json': 400,
  'not-an-object': 400,
  'missing-parameter': 400,
  'wrong-type': 400,
  'invalid-value': 400,
  'limit-too-small': 400,
  'limit-too-large': 400,
  'too-deep': 400,
  'unknown-model': 404,
  'unpermitted-model': 403,
  'undeclared-protocol': 400,
  'unsupported-capability': 400,
  'unknown-response': 404,
  'unknown-previous-response': 400,
  'unknown-item': 400,
  'unknown-tool-call': 400,
  'background-needs-store': 400,
  'not-cancellable': 400,
  'too-many-streams': 400,
  'turn-in-progress': 400,
  /** A mock was asked to refuse. */
  'on-purpose': 500,
  /** Never meant to happen: the gateway itself is broken. */
  'internal-error': 500,
} as const;

export type RefusalReason = keyof typeof refusalStatus;

/** Status, type and code that a native error states. */
interface Told {
  readonly status?: number;
  readonly type?: string;
  readonly code?: string;
}

/**
 * A request that is not served. Protocol-neutral: the dialect of the route gives it its native shape,
 * and may answer a reason with another status than the usual one in {@link refusalStatus}.
 */
export class Refusal extends Error {
  readonly reason: RefusalReason;
  /** The parameter of the request that is wrong, dotted, or null. */
  readonly param: string | null;
  /** Headers that the answer has to carry, in lower case (`allow`, `upgrade`). */
  readonly headers: Readonly<Record<string, string>>;
  /** Values that replace those of the reason. */
  readonly told: Told;

  constructor(
    reason: RefusalReason,
    message: string,
    param: string | null = null,
    headers: Readonly<Record<string, string>> = {},
    told: Told = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.reason = reason;
    this.param = param;
    this.headers = headers;
    this.told = told;
  }
}

/** A value of the caller's, short enough to stand in a message. */
export function quoted(value: string): string {
  return value.length <= 80 ? `'${value}'` : `'${value.slice(0, 77)}...'`;
}
