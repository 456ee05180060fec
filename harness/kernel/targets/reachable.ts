import {
  CommandError,
  type Exchange,
  type ExchangeFailure,
  exitCodes,
  type ReceivedResponse,
} from '../core/index.ts';
import type { Region, Target } from './target.ts';

/** The target cannot be judged at all. The command exits with 4. */
export class Unreachable extends CommandError {
  override readonly name = 'Unreachable';
  override readonly exitCode = exitCodes.unreachable;
  /** True if the gateway may be starting, so that a retry makes sense. */
  readonly mayPass: boolean;

  constructor(message: string, { mayPass = false } = {}) {
    super(message);
    this.mayPass = mayPass;
  }
}

/** Sends `GET /v1/models` with the owner's key to one region, once. */
type SendModelList = (region: Region) => Promise<Exchange>;

/**
 * Checks that a run makes sense: in every region, a possible gateway answers and accepts the owner's key. Checks
 * judge all other answers.
 *
 * @throws {Unreachable} with each region that cannot be used, the reason, and advice
 */
export async function assertReachable(target: Target, send: SendModelList): Promise<void> {
  const asked = await Promise.all(
    target.regions.map(async (region) => {
      const exchange = await send(region);
      return { exchange, obstacle: obstacleIn(exchange, region) };
    }),
  );
  const found = asked.filter(({ obstacle }) => obstacle !== null);
  if (found.length === 0) return;
  throw new Unreachable(found.map(({ obstacle }) => obstacle).join('\n\n'), {
    mayPass: found.every(({ exchange }) => mayPass(exchange)),
  });
}

/** True if there is no answer, or only one of a proxy in front of the gateway, as during a gateway's start. */
function mayPass({ response, failure }: Exchange): boolean {
  if (response === null) return failure?.kind !== 'not-http';
  return notBehind.has(response.status);
}

/** Statuses of a proxy without a working gateway behind it. */
const notBehind = new Set([502, 503, 504]);

/** Returns why a region cannot be tested, with advice, or null. */
export function obstacleIn(exchange: Exchange, region: Region): string | null {
  const where = `${region.baseUrl} (region ${region.name})`;
  const { response, failure } = exchange;
  if (response === null) return `${where} ${withoutAnswer(failure)}`;
  const { status } = response;
  const sent = `answered GET /v1/models with ${status}`;
  if ((status === 401 || status === 403) && isHtml(response)) {
    return (
      `${where} refuses the request with a web page: it ${sent}.\n` +
      'A firewall or a login stands before the gateway. If it asks for a header, name it under `headers` of ' +
      "the target file, or with --header 'Name: value'."
    );
  }
  if (status === 401 || status === 403) {
    return (
      `${where} refuses the owner's key: it ${sent}.\n` +
      'Check that the key belongs to this deployment and is still valid, and that `credentials.models` ' +
      'names the header that takes it. `touchstone init --credential models=HEADER` writes that. What stands ' +
      'before the gateway may ask for a header of its own: `headers`, or --header.'
    );
  }
  if (status >= 300 && status < 400) {
    const location = headerOf(response, 'location');
    return (
      `${where} redirects: it ${sent}${location === null ? '' : `, to ${location}`}.\n` +
      'Redirects are not followed. Put the address that it redirects to into the target file.'
    );
  }
  if (notBehind.has(status)) {
    return (
      `${where} has no working gateway behind it: it ${sent}.\n` +
      'Run again when the gateway is up.'
    );
  }
  // An error page alone is not enough: a gateway may lack the list, behind a proxy that says so in HTML.
  if (status < 300 && isHtml(response)) {
    return (
      `${where} is a web page: it ${sent} and HTML.\n` +
      'A console, a login page or a documentation site stands there. Check the base address.'
    );
  }
  return null;
}

function withoutAnswer(failure: ExchangeFailure | null): string {
  switch (failure?.kind) {
    case 'not-http':
      return (
        `does not speak HTTP there (${failure.message}).\n` +
        'Check the port, and whether the address is http or https.'
      );
    case 'unread':
      return `sent what Touchstone cannot read (${failure.message}).\nPlease report it.`;
    case 'proxy':
      return (
        `was not reached (${failure.message}).\n` +
        'This is about the proxy, not the gateway: check HTTPS_PROXY and HTTP_PROXY; NO_PROXY names what is ' +
        'reached without one.'
      );
    case 'timeout':
      return (
        `did not respond in time (${failure.message}).\n` +
        'Check the address and the network, or give it longer: --timeout MS.'
      );
    case 'interrupted':
      return 'was not asked: the run was interrupted.';
    default:
      return (
        `cannot be reached${failure === null ? '' : ` (${failure.message})`}.\n` +
        'Check the address, the network, and that the gateway runs.'
      );
  }
}

/** True if a response is a web page, by its content type or its first bytes. */
export function isHtml(response: ReceivedResponse): boolean {
  const start = Buffer.from(response.body.subarray(0, 512)).toString('latin1');
  return (
    /text\/html/i.test(headerOf(response, 'content-type') ?? '') ||
    /^\s*<(!doctype|html)/i.test(start)
  );
}

function headerOf({ headers }: ReceivedResponse, wanted: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;
}
