import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Resources that a command took: seconds of all cores, and its peak memory. */
interface Footprint {
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/** Command lines that are measured. */
export const footprintLines: readonly (readonly [name: string, ...line: string[]])[] = [
  ['--help', '--help'],
  ['one free check', 'demo', 'models/list.shape', '--seed', '1', '--quiet'],
  ['the whole run', 'demo', '--seed', '1', '--quiet'],
];

/**
 * Runs a command so many times, and gives the least of what it took.
 *
 * @param folder for the figures that the process leaves behind
 */
export async function footprintOf(
  script: string,
  line: readonly string[],
  runs: number,
  folder: string,
): Promise<Footprint> {
  const figures = join(folder, 'footprint.json');
  const leave = join(folder, 'leave-footprint.mjs');
  writeFileSync(
    leave,
    `import { writeFileSync } from 'node:fs';
     process.on('exit', () => {
       writeFileSync(${JSON.stringify(figures)}, JSON.stringify(process.resourceUsage()));
     });`,
  );
  const all: Footprint[] = [];
  for (let run = 0; run < runs; run++) {
    const child = spawn(
      process.execPath,
      ['--import', pathToFileURL(leave).href, script, ...line],
      { stdio: 'ignore' },
    );
    await once(child, 'exit');
    const usage: NodeJS.ResourceUsage = JSON.parse(readFileSync(figures, 'utf8'));
    all.push({
      cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
      peakMegabytes: usage.maxRSS / 1024,
    });
  }
  return {
    cpuSeconds: Math.min(...all.map(({ cpuSeconds }) => cpuSeconds)),
    peakMegabytes: Math.min(...all.map(({ peakMegabytes }) => peakMegabytes)),
  };
}
