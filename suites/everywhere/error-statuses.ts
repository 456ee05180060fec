import { type Exchange, errorBody, expectValue, NothingToJudge } from '../../harness/index.ts';

/** Sources of error names that belong to statuses: the protocols, and the list of models, which has no protocol. */
export type Naming = 'responses' | 'chat-completions' | 'models' | 'messages' | 'generative';

/** A status, or any client error, or any server error. */
type Status = number | 'client' | 'server';

type Words = Readonly<Record<string, readonly Status[]>>;

const openai: Words = {
  invalid_request_error: [400, 404, 'client'],
  // No source specifies the status of a denial.
  model_not_found: ['client'],
  previous_response_not_found: ['client'],
  invalid_api_key: [401, 403],
  rate_limit_exceeded: [429],
  server_error: [500, 503, 'server'],
};

/**
 * Statuses of the error names that each protocol documents. Any other name, such as a gateway-specific one, fits
 * every status.
 */
const words: Readonly<Record<Naming, Words>> = {
  responses: openai,
  'chat-completions': openai,
  models: openai,
  messages: {
    invalid_request_error: ['client'],
    authentication_error: [401],
    billing_error: [402],
    permission_error: [403],
    not_found_error: [404],
    conflict_error: [409],
    request_too_large: [413],
    rate_limit_error: [429],
    api_error: [500, 'server'],
    timeout_error: [504],
    overloaded_error: [529, 'server'],
  },
  generative: {
    INVALID_ARGUMENT: [400],
    FAILED_PRECONDITION: [400],
    OUT_OF_RANGE: [400],
    UNAUTHENTICATED: [401],
    PERMISSION_DENIED: [403],
    NOT_FOUND: [404],
    ABORTED: [409],
    ALREADY_EXISTS: [409],
    RESOURCE_EXHAUSTED: [429],
    CANCELLED: [499],
    INTERNAL: [500],
    UNKNOWN: [500],
    DATA_LOSS: [500],
    UNIMPLEMENTED: [501],
    UNAVAILABLE: [503],
    DEADLINE_EXCEEDED: [504],
  },
};

/** Judges that the content of an error fits its status. */
export function expectFitting(naming: Naming, exchange: Exchange): void {
  const error = errorBody(exchange);
  const status = statusOf(exchange, error);
  const isError = exchange.socket === null ? status >= 400 : status > 0;
  if (error === null || !isError) throw new NothingToJudge('it has no error of its own');
  const number = numberOf(error);
  if (number !== null) expectValue(number, { as: 'error.code', of: exchange }).toEqual(status);
  const known = words[naming];
  const side = status < 400 ? 'none' : status < 500 ? 'client' : 'server';
  const isDocumented = Object.values(known).some((some) => some.includes(status));
  for (const word of [error.type, error.code]) {
    const fitting = typeof word === 'string' && Object.hasOwn(known, word) ? known[word] : null;
    if (fitting == null) continue;
    // For an undocumented status, only the blamed side (client or server) is known.
    const judged = isDocumented || fitting.some((one) => typeof one === 'string');
    if (!judged) continue;
    expectValue(word, { as: 'the name of the error', of: exchange }).toBe(
      `one for ${status} or of the gateway's own: this one is for ${inWords(fitting)}`,
      () => fitting.some((one) => one === status || one === side),
    );
  }
}

/** Returns the status of an answer; on an open WebSocket, that in the frame. */
function statusOf({ socket, response }: Exchange, error: ReturnType<typeof errorBody>): number {
  return (socket === null ? response?.status : error?.status) ?? 0;
}

/** Returns the code as a status: some gateways send the status as the code, as a number or a text. */
function numberOf({ code }: NonNullable<ReturnType<typeof errorBody>>): number | null {
  if (typeof code === 'number') return code;
  return code !== null && /^[1-5]\d\d$/.test(code) ? Number(code) : null;
}

function inWords(fitting: readonly Status[]): string {
  const numbers = fitting.filter((one) => typeof one === 'number');
  const classes = fitting.filter((one) => typeof one === 'string');
  if (classes.length > 0) return classes[0] === 'client' ? '400 to 499' : '500 to 599';
  return numbers.join(', ');
}
