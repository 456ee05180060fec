import {
  type CheckState,
  type CheckVerdict,
  checkStates,
  exitCode,
  exitCodes,
  type RunVerdict,
  runVerdict,
} from '../../kernel/core/index.ts';
import { table } from './table.ts';

const runWords: Readonly<Record<RunVerdict, string>> = {
  conformant: 'every applicable MUST passed',
  'known-failures':
    'conformant but for failures that `--known-failures` lists, and what waits for them',
  nonconformant: 'a MUST failed, or the list of known failures is stale or expired',
  indeterminate:
    'nothing failed, but a MUST was inconclusive: a rate limit, an overload, a time-out, a failed prerequisite',
  partial: 'nothing failed, but a MUST was excluded, or untestable with this target file',
};

/** The verdicts of a run, and the exit code that each comes to. */
export function runVerdictsTable(): string {
  return table(
    ['verdict', 'meaning', 'exit code'],
    Object.entries(runWords).map(([verdict, what]) => [
      `\`${verdict}\``,
      what,
      exitCodeInWords(verdict as RunVerdict),
    ]),
  );
}

function exitCodeInWords(verdict: RunVerdict): string {
  const usual = exitCode(verdict);
  const allowed = exitCode(verdict, { allowPartial: true });
  return allowed === usual ? String(usual) : `${usual} (\`--allow-partial\`: ${allowed})`;
}

const stateWords: Readonly<Record<CheckState, string>> = {
  pass: 'the requirement holds',
  fail: 'a MUST does not hold',
  warn: 'a SHOULD does not hold',
  note: 'a MAY, with what was observed',
  'not-applicable': 'the gateway does not offer it, or there is nothing to try it on',
  untestable: 'the target file lacks something: a key, a model, a region, a probe',
  inconclusive: 'the responses prove nothing: a time-out, a failed control',
  excluded: 'filtered out, or never reached',
  error: 'an internal error of Touchstone',
};

/** The verdicts on a check, and what each makes of a run in which all else passed. */
export function checkStatesTable(): string {
  return table(
    ['state', 'meaning', 'verdict of the run'],
    checkStates.map((state) => [`\`${state}\``, stateWords[state], consequence(state)]),
  );
}

const levelOf = { warn: 'SHOULD', note: 'MAY' } as const satisfies Partial<
  Record<CheckState, string>
>;

function consequence(state: CheckState): string {
  const level = state === 'warn' || state === 'note' ? levelOf[state] : 'MUST';
  const judged = [
    { level: 'MUST', verdict: { state: 'pass' } },
    { level, verdict: verdictIn(state) },
  ] as const;
  const usual = runVerdict(judged);
  const strict = runVerdict(judged, { strict: true });
  return strict === usual ? usual : `${usual} (\`--strict\`: ${strict})`;
}

/** Sample verdict of this state: the verdict of the run depends only on the state. */
function verdictIn(state: CheckState): CheckVerdict {
  const words = { expected: '', actual: '', reason: '', evidence: null };
  const gap = { kind: 'region', names: [] } as const;
  return state === 'pass' ? { state } : { state, cause: 'control', gap, ...words };
}

/** Meanings of the exit codes that stand for no verdict. */
const failureWords = {
  usage: 'wrong usage or target file',
  unreachable: "the target cannot be reached, is no gateway, or refuses the owner's key",
  broken: 'Touchstone itself crashed, or could not write what it was told to',
  unjudged: '`verify`: a bundle cannot be judged, because it is over a limit',
} as const satisfies Partial<Record<keyof typeof exitCodes, string>>;

/** The exit codes that are no verdict, in a sentence. */
export function furtherExitCodes(): string {
  const { usage, unreachable, broken, unjudged } = failureWords;
  const codes = [
    `${exitCodes.usage} ${usage}`,
    `${exitCodes.unreachable} ${unreachable}`,
    `${exitCodes.broken} ${broken}`,
    `${exitCodes.unjudged} ${unjudged}`,
  ];
  return `Further exit codes: ${codes.join(' · ')}.`;
}
