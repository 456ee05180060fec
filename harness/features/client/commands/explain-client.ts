import { type Explain, explained, titled } from '../../../kernel/cli/index.ts';
import {
  type CheckResult,
  type Conversation,
  covers,
  type Finding,
  type Protocol,
  type RunResult,
} from '../../../kernel/core/index.ts';
import { suiteChecks } from '../../../kernel/engine/index.ts';
import { basisInWords, conversationOf, wrappedConversation } from '../../../kernel/report/index.ts';

/** Columns of a conversation. */
const shownWidth = 96;

/** Explains the checks on a client, with examples from a small client, correct and with a defect. */
export async function explainOfClient(withExamples: boolean): Promise<Explain> {
  const { clientDefects } = await import('../proof/defects.ts');
  const bound = new Map((await suiteChecks('client')).map((check) => [check.id, check]));
  return async (requirement, checks) => {
    const [first] = checks;
    if (first === undefined) return [];
    const breaking = clientDefects
      .filter(({ breaks }) => covers(breaks, first.id))
      .sort((one, other) => one.breaks.length - other.breaks.length);
    const [worst] = breaking;
    const speaks = worst?.speaks ?? ['responses'];
    const good = withExamples ? await played(first.id, [], speaks) : null;
    const bad = withExamples && worst ? await played(first.id, [worst.id], speaks) : null;
    const values = checks.flatMap(({ value }) => value ?? []);
    const scenarios = [...new Set(Object.values(bound.get(first.id)?.on ?? {}))];
    return explained(requirement, checks, [
      ...titled('Source', basisInWords(first.basis)),
      ...(checks.length > 1 ? titled('Judged for', [values.join(', ')]) : []),
      ...titled(
        'Judged on',
        scenarios.map(({ name }) => `${name}, in each protocol that the client speaks`),
      ),
      ...(good === null ? [] : titled(`A right client (${first.id})`, good.lines)),
      ...(bad?.finding == null || worst === undefined
        ? []
        : [
            ...titled(`A wrong client: ${worst.id}`, [worst.what, ...bad.lines]),
            ...titled('What is expected', [bad.finding.expected]),
            ...titled('What the check says of it', [bad.finding.actual]),
          ]),
      ...titled(
        'Faulty clients',
        breaking.map(({ id, what }) => `${id}: ${what}`),
      ),
    ]);
  };
}

interface Played {
  /** The most illustrative conversation. */
  readonly lines: readonly string[];
  readonly finding: Finding | null;
}

async function played(
  id: string,
  defects: readonly string[],
  speaks: readonly Protocol[],
): Promise<Played> {
  const { judgeFaultyClient } = await import('../proof/prove-clients.ts');
  const result = await judgeFaultyClient(defects, { speaks, filters: [id] });
  const check = result.checks.find((one) => one.id === id);
  const shown =
    check === undefined ? null : (conversationOf(check, result) ?? lastOf(check, result));
  return {
    lines: shown === null ? [] : wrappedConversation(shown, shownWidth),
    finding:
      check?.verdict.state === 'fail' || check?.verdict.state === 'warn' ? check.verdict : null,
  };
}

/** Returns a conversation of a check that passed: the last of the first of its scenarios. */
function lastOf(
  { scenarios }: CheckResult,
  { conversations = [] }: RunResult,
): Conversation | null {
  const [first] = scenarios.flatMap(
    (name) => conversations.findLast(({ scenario }) => scenario === name) ?? [],
  );
  return first ?? null;
}
