import { rejudgeAny } from '../../kernel/cli/index.ts';
import { messageOf, UnfitFile } from '../../kernel/core/index.ts';
import { reportOf, resultIn } from '../../kernel/report/index.ts';
import { disagreements } from './comparison.ts';
import { type Bundle, type Demands, type Inspection, inspect } from './inspect.ts';
import { type Level, levelOf } from './levels.ts';
import { originProblems, policyProblems, profileProblems } from './policy.ts';

export interface JudgedBundle extends Omit<Bundle, 'recording'> {
  readonly exchanges: number;
}

export type Verification =
  | { readonly level: Level; readonly bundle: JudgedBundle }
  | {
      readonly level: null;
      /** Reasons, at least one. */
      readonly problems: readonly string[];
      /** True if the bundle is intact, but does not meet the demands of its verifier. */
      readonly isLess?: true;
      /** True if the bundle is over a limit, so that nothing can be said of it. */
      readonly isOver?: true;
      /** Contents, or null if they cannot be read. */
      readonly bundle: JudgedBundle | null;
    };

/**
 * Verifies a bundle in this thread: inspects it, judges its exchanges again, and compares the result with its
 * report. No request is sent.
 */
export async function judgedBundle(folder: string, demands: Demands): Promise<Verification> {
  try {
    return await judged(inspected(folder, demands), demands);
  } catch (error) {
    if (!(error instanceof UnfitFile)) throw error;
    return unjudged(error.message);
  }
}

/** A bundle is over a limit. @param problem the limit */
export function unjudged(problem: string): Verification {
  return { level: null, problems: [problem], isOver: true, bundle: null };
}

async function judged(
  { problems, bundle: read }: Inspection,
  demands: Demands,
): Promise<Verification> {
  if (read === null) return { level: null, problems, bundle: null };
  const { recording, ...rest } = read;
  const bundle = { ...rest, exchanges: recording.exchanges.length };
  if (problems.length > 0) return { level: null, problems, bundle };
  const found = await judgedAgain(read);
  if (found.length > 0) return { level: null, problems: found, bundle };
  const missing = unmet(bundle, demands);
  if (missing.length > 0) return { level: null, problems: missing, isLess: true, bundle };
  return { level: levelOf(bundle.signatures.by !== null, demands.challenge !== null), bundle };
}

/** Lists the demands of its verifier that an intact bundle does not meet. */
function unmet(
  bundle: JudgedBundle,
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
    if (error instanceof UnfitFile && error.isOver) throw error;
    return { problems: [`it cannot be read: ${messageOf(error)}`], bundle: null };
  }
}

async function judgedAgain({ report, recording }: Bundle): Promise<readonly string[]> {
  try {
    const { result, unasked } = await rejudgeAny(recording);
    return [...disagreements(report, resultIn(reportOf(result))), ...unaskedProblems(unasked)];
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
