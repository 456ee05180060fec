import { at, type Protocol } from '../core/index.ts';
import { protocolModules } from './modules.ts';

/** Alternative documented names of the limit. */
const alsoCalled: Partial<Record<Protocol, readonly string[]>> = {
  'chat-completions': ['max_tokens'],
  generative: ['generation_config.max_output_tokens'],
};

/**
 * Checks that a body sets its output limit, or that it sets none on System One, which has no such limit. `actual`
 * is null if the body is right.
 */
export function setLimits(
  protocol: Protocol,
  body: unknown,
): { readonly expected: string; readonly actual: string | null } {
  const own = protocolModules[protocol].request.outputLimit;
  if (own === null) {
    const said = ['max_tokens', 'max_output_tokens', 'max_completion_tokens'].find(
      (member) => at(body, member) !== undefined,
    );
    return { expected: 'no output limit', actual: said ?? null };
  }
  const isSaid = [own, ...(alsoCalled[protocol] ?? [])].some(
    (path) => typeof at(body, path) === 'number',
  );
  return { expected: `\`${own}\``, actual: isSaid ? null : 'no output limit' };
}
