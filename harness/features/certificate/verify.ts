import { rejudgeAny } from '../../kernel/cli/index.ts';
import { messageOf } from '../../kernel/core/index.ts';
import { disagreements } from './comparison.ts';
import { type Bundle, type Demands, type Inspection, inspect } from './inspect.ts';
import { type Level, levelOf } from './levels.ts';
import { originProblems, policyProblems, profileProblems } from './policy.ts';

/** Result of verifying a bundle: a level of trust, or a rejection. */
export type Verification =
  | { readonly level: Level; readonly bundle: Bundle }
  | {
      readonly level: null;
      /** Reasons, at least one. */
      readonly problems: readonly string[];
      /** True if the bundle is intact, but does not meet the demands of its verifier. */
      readonly isLess?: true;
      /** Contents, or null if they cannot be read. */
      readonly bundle: Bundle | null;
    };

/**
 * Verifies a bundle: inspects it, judges its exchanges again, and compares the result with its report. No request
 * is sent.
 */
export async function verifyBundle(folder: string, demands: Demands): Promise<Verification> {
  const { problems, bundle } = inspected(folder, demands);
  if (bundle === null || problems.length > 0) return { level: null, problems, bundle };
  const found = await judgedAgain(bundle);
  if (found.length > 0) return { level: null, problems: found, bundle };
  const missing = unmet(bundle, demands);
  if (missing.length > 0) return { level: null, problems: missing, isLess: true, bundle };
  return { level: levelOf(bundle.signatures.by !== null, demands.challenge !== null), bundle };
}

/** Lists the demands of its verifier that an intact bundle does not meet. */
function unmet(
  bundle: Bundle,
  { profiles = [], policy = null, origin = {}, challenge }: Demands,
): readonly string[] {
  const now = new Date();
  const problems = [
    ...profileProblems(profiles, bundle.report),
    ...originProblems(origin, bundle.report, now),
  ];
  if (policy === null) return problems;
  const verified = { ...bundle, isChallenged: challenge !== null };
  return [...new Set([...problems, ...policyProblems(policy, verified, now)])];
}

/** Inspects a bundle. Rejects one that cannot be read, for example because of its nesting. */
function inspected(folder: string, demands: Demands): Inspection {
  try {
    return inspect(folder, demands);
  } catch (error) {
    return { problems: [`it cannot be read: ${messageOf(error)}`], bundle: null };
  }
}

async function judgedAgain({ report, recording }: Bundle): Promise<readonly string[]> {
  try {
    const { result, unasked } = await rejudgeAny(recording);
    return [...disagreements(report, result), ...unaskedProblems(unasked)];
  } catch (error) {
    return [`the exchanges cannot be judged: ${messageOf(error)}`];
  }
}

/** Names only some of the exchanges, because a single change may affect many scenarios. */
function unaskedProblems(unasked: readonly string[]): string[] {
  if (unasked.length === 0) return [];
  const shown = unasked.slice(0, 3).join(', ');
  const rest = unasked.length > 3 ? ` and ${unasked.length - 3} more` : '';
  return [`the suite does not ask for exchanges that are recorded: ${shown}${rest}`];
}
