import { at, type Exchange, parsed, textAt } from '../../core/index.ts';
import { answerOf, endsTurn, isRunning } from '../../protocols/index.ts';
import type { Scenario } from '../scenario.ts';

/** Tracks the background runs that have not ended, as far as answers show, and their scenarios. */
export class OpenRuns {
  readonly #begunBy = new Map<string, Scenario>();

  saw(scenario: Scenario, exchange: Exchange): void {
    if (exchange.about.protocol !== 'responses') return;
    const seen = runIn(exchange);
    if (seen === null) return;
    if (!seen.goesOn) this.#begunBy.delete(seen.id);
    else if (!this.#begunBy.has(seen.id)) this.#begunBy.set(seen.id, scenario);
  }

  forget(scenario: Scenario): void {
    for (const [id, maker] of this.#begunBy) if (maker === scenario) this.#begunBy.delete(id);
  }

  /** True if a run that the scenario or a direct prerequisite has begun is still running. */
  concern(scenario: Scenario): boolean {
    if (this.#begunBy.size === 0) return false;
    const makers = new Set([scenario, ...Object.values(scenario.after)]);
    return [...this.#begunBy.values()].some((maker) => makers.has(maker));
  }
}

/** Returns the run that an answer names, and whether it continues, or null. */
function runIn(exchange: Exchange): { readonly id: string; readonly goesOn: boolean } | null {
  const answer = answerOf(exchange);
  if (answer.form === 'json') {
    const id = textAt(answer.value, 'id');
    return id === null ? null : { id, goesOn: isRunning(textAt(answer.value, 'status')) };
  }
  if (answer.form !== 'events') return null;
  const { events } = answer.stream;
  const named = events.map(({ json }) => textAt(json, 'response.id'));
  const id = named.find((one) => one !== null);
  if (id === undefined || id === null) return null;
  const ended = events.some(({ json }) => endsTurn(textAt(json, 'type')));
  return { id, goesOn: !ended && asksForBackground(exchange) };
}

/** True if the run continues after the answer. A foreground response ends with its stream. */
function asksForBackground({ request }: Exchange): boolean {
  if (request.method === 'GET') return true;
  return (
    request.body !== null && at(parsed(Buffer.from(request.body).toString()), 'background') === true
  );
}
