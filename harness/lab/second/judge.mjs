// Judges each fault by the checks that have to notice it: node harness/lab/second/judge.mjs [FAULT …]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faults } from './faults.mjs';
import { startSecond } from './gateway.mjs';

const touchstone = fileURLToPath(new URL('../../../dist/harness/main.js', import.meta.url));

export const noticeable = Object.keys(faults).filter((name) => faults[name].noticedBy !== null);

/** Judges the gateway: by the whole suite, or with a fault by the checks that have to notice it. */
export async function judge(fault) {
  const folder = mkdtempSync(join(tmpdir(), 'second-'));
  const [file, report] = [join(folder, 'target.json'), join(folder, 'report.json')];
  const { target, stop } = await startSecond(new Set(fault === undefined ? [] : [fault]));
  try {
    writeFileSync(file, JSON.stringify(target));
    const ids = fault === undefined ? [] : [faults[fault].noticedBy].flat();
    const line = ['run', '--target', file, '--json', report, '--quiet', '--seed', '1', ...ids];
    await once(spawn(process.execPath, [touchstone, ...line], { stdio: 'ignore' }), 'close');
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    stop();
    rmSync(folder, { recursive: true });
  }
}

/** Returns the checks of a result that are in one of these states. */
export function inStates({ checks }, ...states) {
  return checks.flatMap(({ id, verdict: { state } }) =>
    states.includes(state) ? [`${state} ${id}`] : [],
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2);
  for (const fault of named.length > 0 ? named : noticeable) {
    const by = inStates(await judge(fault), 'fail', 'warn');
    process.stdout.write(`${by.length > 0 ? '✓' : '✗'} ${fault}: ${by.join(', ')}\n`);
  }
}
