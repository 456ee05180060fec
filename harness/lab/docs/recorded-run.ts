import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { packageRoot } from '../../kernel/core/index.ts';
import { readReport, renderConsole } from '../../kernel/report/index.ts';
import { targetFileOf } from '../../kernel/targets/index.ts';
import { startReference } from '../../reference/index.ts';
import type { Defect } from '../../reference/seams.ts';

const script = join(packageRoot, 'dist', 'harness', 'main.js');

/** The gateway is ours, and need not be spared. */
const unspared = { concurrency: 16, requestsPerSecond: null, patienceMs: 20_000 };

export interface RunOptions {
  readonly defect?: Defect;
  readonly quiet: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

/**
 * Returns the terminal output, with colours, of a run of the built command against a gateway on this
 * machine. The run has a seed of its own; addresses, ids and times are of the moment.
 *
 * @throws {Error} with what the command wrote, when it came to no verdict
 */
export async function recordRun({ defect, quiet, width }: RunOptions): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-docs-'));
  const gateway = await startReference(defect === undefined ? {} : { defect });
  try {
    const target = join(folder, 'staging.yaml');
    const report = join(folder, 'report.json');
    writeFileSync(
      target,
      stringify({ ...parse(targetFileOf(gateway)), name: 'staging', limits: unspared }),
    );
    await call(['run', '--target', target, '--seed', '1', '--quiet', '--json', report]);
    const read = readReport(readFileSync(report, 'utf8'), report);
    // The command line that a reader would type.
    const program = 'npx gateway-touchstone';
    const invocation = { program, command: `${program} run --target staging.yaml` };
    return renderConsole({ ...read, invocation }, { colour: true, width, quiet });
  } finally {
    await gateway.close();
    rmSync(folder, { recursive: true });
  }
}

/** Runs the command to a verdict, whichever. */
function call(line: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, ...line], (error, _, said) => {
      const code = error === null ? 0 : error.code;
      if (code === 0 || code === 1 || code === 2) resolve();
      else reject(new Error(`${script} ${line.join(' ')} ended with ${code}: ${said}`));
    });
  });
}
