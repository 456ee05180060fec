import { type Exchange, type Protocol, protocolTitles } from '../../kernel/core/index.ts';
import { errorBody } from '../../kernel/protocols/index.ts';
import type { FrontAnswer } from './session.ts';

/** Returns how the front of a gateway answered a request in one protocol. */
export function frontAnswer(exchange: Exchange, protocol: Protocol): FrontAnswer {
  const { origin } = new URL(exchange.request.url);
  const { response, failure } = exchange;
  if (response === null) {
    const said = `did not answer (${failure?.message ?? 'nothing came'})`;
    return { origin, protocol, kind: 'unreachable', said };
  }
  const { status } = response;
  const message = errorBody(exchange)?.message ?? '';
  const said = `answered ${status}${message === '' ? '' : ` (${message.slice(0, 200)})`}`;
  return { origin, protocol, kind: kindOf(status), said };
}

function kindOf(status: number): FrontAnswer['kind'] {
  if (status === 401 || status === 403) return 'key-refused';
  return status >= 200 && status < 300 ? 'served' : 'not-served';
}

/**
 * Returns the reason why no request with the word of a prompt arrived at the back of a gateway although its front
 * was sent one in each protocol: a summary of the front's answers, and what to do.
 *
 * @param came number of requests that arrived at the back, none of which led to an answer at the front
 */
export function whyBackNotReached(fronts: readonly FrontAnswer[], came = 0): string {
  const kinds = new Set(fronts.map(({ kind }) => kind));
  const all = [...new Set(fronts.map(({ said }) => said))]
    .map((said) => {
      const which = fronts.filter((front) => front.said === said);
      return `${which.map(({ protocol }) => protocolTitles[protocol]).join(', ')}: it ${said}`;
    })
    .join('; ');
  const where = `its front at ${fronts[0]?.origin}`;
  if (came > 0) {
    return `${where} serves no answer, though ${came} of its requests came in at its back (${all})`;
  }
  if (kinds.has('served')) {
    return (
      `${where} serves the model, and no request with the prompt came in at its back (${all}). ` +
      'Somebody else serves it, or a cache does: the model has to go to the provider that --print-provider prints'
    );
  }
  if (kinds.has('key-refused')) {
    return `${where} refuses the key (${all}). --key-env NAME names the variable that has the right one`;
  }
  if (kinds.has('unreachable') && kinds.size === 1) {
    return `${where} cannot be reached (${all}). Check the address, and that the gateway runs`;
  }
  return (
    `${where} serves the model in no protocol, and nothing came in at its back (${all}). ` +
    '--model names a model of the front that goes to the provider that --print-provider prints'
  );
}
