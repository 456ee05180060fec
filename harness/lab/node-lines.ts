/**
 * The last part of `npm run determinism`: the same verdicts on every line of Node that Touchstone runs on.
 * The others come from the registry, by npx.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeFile } from '../kernel/core/index.ts';
import { readReport } from '../kernel/report/index.ts';
import { print } from './tables-in-page.ts';

const lines = [20, 22, 24, 26];
const script = codeFile('harness/main');
const folder = mkdtempSync(join(tmpdir(), 'touchstone-node-'));

try {
  const own = await verdicts([process.execPath]);
  print(`Node ${process.version}: ${own.size} verdicts.`);
  for (const line of lines) {
    const found = await verdicts(['npx', '-y', '-p', `node@${line}`, 'node']);
    const changed = [...new Set([...own.keys(), ...found.keys()])].filter(
      (id) => own.get(id) !== found.get(id),
    );
    for (const id of changed) {
      print(`    changed    ${id}: ${own.get(id) ?? 'none'} → ${found.get(id) ?? 'none'}`);
    }
    print(
      `${changed.length === 0 ? '✓' : '✗'} Node ${line}: ${found.size} verdicts, ${changed.length} of them others.`,
    );
    if (changed.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the checks at the reference gateway and returns their verdicts. */
async function verdicts([command = '', ...before]: readonly string[]) {
  const report = join(folder, 'report.json');
  const child = spawn(
    command,
    [...before, script, 'demo', '--seed', '1', '--quiet', '--json', report],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${[command, ...before].join(' ')}: the run ended with ${code}`);
  const { checks } = readReport(readFileSync(report, 'utf8'), report);
  return new Map(checks.map(({ id, verdict }) => [id, verdict.state]));
}
