import type { Exchange } from '../core/exchange.ts';
import { formatId } from '../core/index.ts';
import { at, parsed } from '../core/json-value.ts';
import { turnsOf } from '../judge/turns.ts';
import { generates, operationsOf } from '../protocols/operations.ts';
import { exchangesOf } from './outcome.ts';
import type { TargetRun } from './session.ts';

/** Members of a request that limit the length of an answer. */
const limitMembers = [
  'max_output_tokens',
  'max_completion_tokens',
  'max_tokens',
  'generationConfig.maxOutputTokens',
  'generationConfig.max_output_tokens',
  'generation_config.max_output_tokens',
  'generation_config.maxOutputTokens',
];

/** Finds requests for more output tokens than their scenario declares, or without a limit. `plan` adds these up. */
export async function beyondLimits(run: TargetRun): Promise<readonly string[]> {
  const found = [...run.outcomes].map(async ([scenario, outcome]) => {
    const { outputTokens = run.target.limits.maxOutputTokens } = scenario.costAt(run.target);
    if (outputTokens === null) return [];
    return exchangesOf(await outcome)
      .flatMap(turnsOf)
      .filter((turn) => operationsOf(turn).some(generates))
      .flatMap((turn) => {
        const body = bodyOf(turn);
        // A refused upgrade carries no request for a generation.
        if (body === undefined && turn.about.operation === 'responses.connect') return [];
        const limit = limitMembers
          .map((member) => at(body, member))
          .find((one) => one !== undefined);
        const isWithin = typeof limit === 'number' && limit <= outputTokens;
        return isWithin
          ? []
          : [`${formatId(turn.id)}: ${String(limit)}, and declares ${outputTokens}`];
      });
  });
  return (await Promise.all(found)).flat();
}

function bodyOf({ request, socket }: Exchange): unknown {
  const frame = socket?.frames.find(({ from }) => from === 'us')?.data;
  const sent = socket === null ? request.body : frame;
  return sent == null ? undefined : parsed(new TextDecoder().decode(sent));
}
