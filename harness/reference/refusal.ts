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
  /** Intentional refusal by a mock. */
  'on-purpose': 500,
  /** Internal error: the gateway itself is broken. */
  'internal-error': 500,
} as const;

export type RefusalReason = keyof typeof refusalStatus;

interface Told {
  readonly status?: number;
  readonly type?: string;
  readonly code?: string;
}

/**
 * Error for a request that is not served, independent of the protocol. The dialect of the route determines its
 * native form, and may replace the usual status in {@link refusalStatus}.
 */
export class Refusal extends Error {
  readonly reason: RefusalReason;
  /** Dotted name of the invalid parameter, or null. */
  readonly param: string | null;
  /** Headers that the answer must have, in lower case (`allow`, `upgrade`). */
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

/** Quotes a value of the client, shortened to fit in a message. */
export function quoted(value: string): string {
  return value.length <= 80 ? `'${value}'` : `'${value.slice(0, 77)}...'`;
}
