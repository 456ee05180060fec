/**
 * Touchstone as a library: judge a gateway from a program, and make reports of the result.
 *
 * ```ts
 * import { exitCode, referenceTarget, renderMarkdown, run, runMany } from 'gateway-touchstone';
 *
 * // The gateway that comes with Touchstone. Your own: const target = loadTarget('gateway.yaml');
 * const { target, close } = await referenceTarget();
 * try {
 *   const result = await run({ target, seed: 1, filters: ['generation/responses'] });
 *   for (const { id, verdict } of result.checks) {
 *     if (verdict.state !== 'fail') continue;
 *     console.error(`${id}: expected ${verdict.expected}; ${verdict.actual}`);
 *   }
 *   console.log(renderMarkdown(result));
 *
 *   // Several gateways: each result as soon as it is there.
 *   const targets = [target, { ...target, name: 'the same again' }];
 *   for await (const one of runMany({ targets, seed: 1, filters: ['models/list'] })) {
 *     console.log(one.target.name, one.error === null ? one.result.verdict : one.error.message);
 *   }
 *   process.exitCode = exitCode(result.verdict, { allowPartial: true });
 * } finally {
 *   await close();
 * }
 * ```
 *
 * `run` sends and judges in the calling thread. `runMany` judges each target in a separate thread, several of them
 * concurrently, so that no gateway delays another. `worstExitCode` returns the exit code for all of them.
 *
 * Further functions correspond to commands: `init` inspects a gateway and creates a target file, `doctor` checks
 * that the file fits, `recheck` judges a recording again, and `certify` and `verify` write and verify evidence.
 *
 * `gateway-touchstone/mock` is a mock for tests of clients.
 *
 * A run sends real requests, and every generation costs what the gateway charges. `plan` returns their number
 * before any request is sent.
 *
 * @packageDocumentation
 */

export {
  allowing,
  type Basis,
  type Broken,
  type Capability,
  type Catalogue,
  type Cause,
  type CheckDefinition,
  type CheckResult,
  type CheckState,
  type CheckVerdict,
  type Citation,
  type Difference as FindingDifference,
  type Evidence,
  excuse,
  exitCode,
  exitCodes,
  type Finding,
  type Invocation,
  type KnownFailure,
  type KnownFailures,
  type Level,
  loadCatalogue,
  type Protocol,
  type Requirement,
  type RootCause,
  type RunResult,
  type RunVerdict,
  readKnownFailures,
  rootCausesOf,
  type ScenarioTime,
  type TargetSummary,
  type Traffic,
  UnknownRequirement,
  verdictThatCounts,
  worstExitCode,
} from '../../kernel/core/index.ts';
export {
  type Plan,
  type PlannedCheck,
  type PlannedScenario,
  type Progress,
  plan,
  type Rejudged,
  type RejudgeOptions,
  type RunOptions,
  run,
  type Sequence,
  type SuiteProgress,
} from '../../kernel/engine/index.ts';
export { BadRecording, type Selection } from '../../kernel/recordings/index.ts';
export {
  type Change,
  type ConsoleOptions,
  type Difference,
  difference,
  type JsonReport,
  NoReport,
  readReport,
  renderBadge,
  renderBadgeEndpoint,
  renderConsole,
  renderCtrf,
  renderGithub,
  renderHtml,
  renderJson,
  renderJunit,
  renderMarkdown,
} from '../../kernel/report/index.ts';
export {
  type Environment,
  type Keys,
  type Limits,
  loadTarget,
  type Model,
  type Probes,
  type Region,
  readTarget,
  referenceTarget,
  type StartedTarget,
  type SystemOneTarget,
  type Target,
  TargetError,
  Unreachable,
} from '../../kernel/targets/index.ts';
export { UsageError } from '../../kernel/terminal/index.ts';
export { BadKey } from '../certificate/index.ts';
export {
  type Certified,
  type CertifyOptions,
  certify,
  type Verified,
  verify,
} from './certificates.ts';
export { type DoctorFinding, doctor, type InitOptions, init } from './onboarding.ts';
export { recheck } from './recheck.ts';
export { type JudgedTarget, type RunManyOptions, runMany } from './run-many.ts';
