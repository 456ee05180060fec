import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCodes, packageRoot } from '../../kernel/core/index.ts';
import { reportAt } from '../../kernel/terminal/index.ts';
import { commandLineOf, type Inputs } from './command-line.ts';
import { comment, NotCommented } from './comment.ts';
import { comparisonOf } from './compare.ts';
import { removeReports, reportsIn, worstOf } from './reports.ts';

type Environment = Readonly<Record<string, string | undefined>>;

type Step = (env: Environment) => Promise<number> | number;

/** Steps of `action.yml`: `judge`, then `compare` on a pull request, or else `keep`. */
export const steps: Readonly<Record<string, Step>> = { judge, compare, keep };

function inputsIn({ INPUTS = '{}' }: Environment): Inputs & { readonly reports: string } {
  const inputs: Inputs = JSON.parse(INPUTS);
  return { ...inputs, reports: inputs.reports ?? '.' };
}

/** Runs the command, and passes the result to later steps. */
async function judge(env: Environment): Promise<number> {
  const inputs = inputsIn(env);
  const { reports } = inputs;
  const line = commandLineOf(inputs, env.GITHUB_STEP_SUMMARY ?? 'summary.md');
  removeReports(reports);
  const command = join(packageRoot, 'dist', 'harness', 'main.js');
  // Only the commenting step has a token, so the environment can be passed unchanged.
  const child = spawn(process.execPath, [command, ...line], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (ended) => resolve(ended ?? exitCodes.broken));
  });
  const worst = worstOf(reportsIn(reports).map((path) => reportAt(join(reports, path))));
  tell(
    env.GITHUB_OUTPUT,
    `exit-code=${code}\n${worst === undefined ? '' : `verdict=${worst.verdict}\n`}`,
  );
  return code;
}

/** Comments on the pull request, or writes to the job summary if it cannot. */
async function compare(env: Environment): Promise<number> {
  const inputs = inputsIn(env);
  const { GITHUB_REPOSITORY: repository = '', GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run } = env;
  const text = comparisonOf({
    base: inputs['base-reports'] || (env.KEPT_REPORTS ?? ''),
    baseName: env.GITHUB_BASE_REF ?? 'the base branch',
    now: inputs.reports,
    address: server === undefined ? undefined : `${server}/${repository}/actions/runs/${run}`,
  });
  try {
    await comment(
      {
        api: env.GITHUB_API_URL ?? 'https://api.github.com',
        repository,
        number: pullRequest(env),
        token: env.GITHUB_TOKEN ?? '',
      },
      inputs.name ?? 'touchstone',
      text,
    );
  } catch (error) {
    if (!(error instanceof NotCommented)) throw error;
    process.stderr.write(`No comment on the pull request: ${error.message}.\n`);
    tell(env.GITHUB_STEP_SUMMARY, `${text}\n`);
  }
  return 0;
}

/** Moves the reports to the folder that the cache stores. */
function keep(env: Environment): number {
  const { reports } = inputsIn(env);
  const kept = env.KEPT_REPORTS ?? '';
  rmSync(kept, { recursive: true, force: true });
  for (const path of reportsIn(reports)) {
    mkdirSync(dirname(join(kept, path)), { recursive: true });
    cpSync(join(reports, path), join(kept, path));
  }
  return 0;
}

/** @throws {NotCommented} when the event belongs to no pull request */
function pullRequest({ GITHUB_EVENT_PATH = '' }: Environment): number {
  const event = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'));
  const number: unknown = event?.pull_request?.number;
  if (typeof number !== 'number') throw new NotCommented('this event is of no pull request');
  return number;
}

function tell(file: string | undefined, text: string): void {
  if (file !== undefined && text !== '') appendFileSync(file, text);
}
