/**
 * `npm run bench`: how much longer a run takes than it has to. The reference gateway, in a process of
 * its own, waits before each answer; so what a run has to take is known: its longest chain of
 * dependent requests, or, with few requests at a time, all of them one after the other in so many
 * rows. And what the command takes of the machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { parse, stringify } from 'yaml';
import { wholeNumber } from '../kernel/cli/index.ts';
import type { RunResult } from '../kernel/core/index.ts';
import { codeFile } from '../kernel/core/index.ts';
import { exploringMemory, exploringSpeed, plainRequestMs } from './explore-bench.ts';
import { footprintLines, footprintOf } from './footprint.ts';
import { observeOverhead } from './observe-bench.ts';

const script = codeFile('harness/main');
const unbounded = 100_000;
const slots = 8;
const decided = new Set(['pass', 'fail', 'warn', 'note']);
const goals = { ratio: 1.15, checksPerGeneration: 4, observeMs: 2, acts: 1_000, memory: 1.1 };
const exploringCores = 2;

interface Measured {
  readonly result: RunResult;
  /** Milliseconds from the start of the process to its end. */
  readonly commandMs: number;
}

const { latency, runs, before, footprint, observe, explore, histories } = new Command('bench')
  .description('Measures what Touchstone adds to the time that a gateway takes.')
  .option('--latency <ms>', 'milliseconds before each answer of the gateway', wholeNumber(1), 100)
  .option('--runs <n>', 'runs of each kind; the quickest counts', wholeNumber(1), 3)
  .option('--before <script>', 'the main.js of another build, measured beside this one')
  .option('--footprint', 'processor time and memory only')
  .option('--observe', 'what observe adds to a request only')
  .option('--explore', 'what an act of explore takes, and its memory, only')
  .option('--histories <n>', 'histories that are explored for that', wholeNumber(4), 400)
  .parse()
  .opts<{
    latency: number;
    runs: number;
    before?: string;
    footprint?: true;
    observe?: true;
    explore?: true;
    histories: number;
  }>();

const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

print(
  `Node ${process.version}, ${availableParallelism()} cores; the quickest of ${runs} runs each.`,
);
const isOnly = footprint === true || observe === true || explore === true;
if (!isOnly || footprint === true) await printFootprints();
if (!isOnly || observe === true) await printObserving();
if (!isOnly || explore === true) await printExploring();
if (isOnly) {
  rmSync(folder, { recursive: true });
  process.exit();
}
const { gateway, file } = await startGateway(latency);
try {
  const free = await quickest(['--target', targetFile(file, unbounded)]);
  print(`\nThe gateway answers after ${latency} ms. As many requests at a time as there are:`);
  printRun(free, free.result.traffic.longestChainMs);

  const few = await quickest(['--target', targetFile(file, slots)]);
  const { longestChainMs, latencyMs } = few.result.traffic;
  const inRows = latencyMs / slots;
  print(`\n${slots} requests at a time:`);
  printRun(few, Math.max(inRows, longestChainMs), `all latency ÷ ${slots}`);

  const judged = free.result.checks.filter(({ verdict }) => decided.has(verdict.state)).length;
  const perGeneration = judged / free.result.traffic.generations;
  print(
    `\n${judged} checks judged on ${free.result.traffic.generations} generations: ` +
      `${perGeneration.toFixed(2)} each ${goal(perGeneration >= goals.checksPerGeneration, `≥ ${goals.checksPerGeneration}`)}`,
  );
} finally {
  gateway.kill();
}

const embedded = await quickest([]);
print(
  `\nThe whole command against the embedded gateway, without delay: ${seconds(embedded.commandMs)}, ` +
    `${seconds(embedded.result.traffic.spanMs)} of it between the first request and the last answer.`,
);
rmSync(folder, { recursive: true });

/** Resources that the command takes, compared with another build in the same session. */
async function printFootprints(): Promise<void> {
  print('\nProcessor time and peak memory:');
  for (const [name, ...line] of footprintLines) {
    const { cpuSeconds, peakMegabytes } = await footprintOf(script, line, runs, folder);
    const now = `${cpuSeconds.toFixed(2)} s, ${peakMegabytes.toFixed(0)} MB`;
    if (before === undefined) {
      print(`  ${name.padEnd(16)}${now}`);
      continue;
    }
    const old = await footprintOf(before, line, runs, folder);
    print(
      `  ${name.padEnd(16)}${now}; before: ${old.cpuSeconds.toFixed(2)} s, ` +
        `${old.peakMegabytes.toFixed(0)} MB (${(cpuSeconds / old.cpuSeconds).toFixed(2)} × and ` +
        `${(peakMegabytes / old.peakMegabytes).toFixed(2)} ×)`,
    );
  }
}

/** Time that an observation adds to a request, compared with a proxy that does nothing else. */
async function printObserving(): Promise<void> {
  const { gateway, file } = await startGateway(0);
  try {
    const { direct, plain, observed } = await observeOverhead(script, file, 1_000);
    const added = observed.median - direct.median;
    print('\nOne request, milliseconds at the median and at the 99th percentile:');
    for (const [name, { median, p99 }] of Object.entries({ direct, plain, observed })) {
      print(`  ${name.padEnd(16)}${median.toFixed(2)}, ${p99.toFixed(2)}`);
    }
    print(
      `  observe adds    ${added.toFixed(2)} at the median, a plain proxy ` +
        `${(plain.median - direct.median).toFixed(2)} ${goal(added < goals.observeMs, `< ${goals.observeMs}`)}`,
    );
  } finally {
    gateway.kill();
  }
}

/** Speed at which histories are planned, sent, answered and judged, and the memory of one exploration. */
async function printExploring(): Promise<void> {
  const speed = await exploringSpeed(exploringCores, histories);
  const onCores = exploringCores / (speed.cpuMsPerAct / 1_000);
  const plain = await plainRequestMs(10_000);
  print(`\nExploring the reference, ${exploringCores} processes of ${histories} histories each:`);
  print(
    `  ${speed.acts} acts, ${speed.cpuMsPerAct.toFixed(2)} ms of processor time each, the gateway's included; ` +
      `${speed.finds} found`,
  );
  print(
    `  a request that is only sent and answered takes ${plain.toFixed(2)} ms here: an act takes ` +
      `${(speed.cpuMsPerAct / plain).toFixed(1)} of them`,
  );
  print(`  by the clock                  ${speed.actsPerSecond.toFixed(0)} acts/s`);
  print(
    `  on ${exploringCores} cores of its own         ${onCores.toFixed(0)} acts/s ` +
      goal(onCores >= goals.acts, `≥ ${goals.acts}`),
  );
  const { gateway, file } = await startGateway(0);
  try {
    const { quarterMb, wholeMb, acts } = await exploringMemory(file, histories);
    const ratio = wholeMb / quarterMb;
    print(
      `  memory in use after ${Math.floor(histories / 4)} and ${histories} histories (${acts} acts): ` +
        `${quarterMb.toFixed(1)} and ${wholeMb.toFixed(1)} MB, ratio ${ratio.toFixed(2)} ` +
        goal(ratio <= goals.memory, `≤ ${goals.memory}`),
    );
  } finally {
    gateway.kill();
  }
}

function printRun({ result, commandMs }: Measured, floorMs: number, floor = ''): void {
  const { traffic, verdict } = result;
  const { requests, generations, spanMs } = traffic;
  const chain = traffic.longestChainRequests;
  const ratio = spanMs / floorMs;
  print(`  ${requests} requests, ${generations} generations; ${verdict}`);
  print(`  first request to last answer  ${seconds(spanMs)}`);
  if (floorMs !== traffic.longestChainMs) print(`  ${floor.padEnd(28)}  ${seconds(floorMs)}`);
  print(
    `  the longest chain             ${seconds(traffic.longestChainMs)}: ${chain} requests, ` +
      `${seconds(chain * latency)} of it their delay, ` +
      `${seconds(traffic.longestChainPausesMs)} pauses between polls`,
  );
  print(
    `  ratio                         ${ratio.toFixed(2)} ${goal(ratio <= goals.ratio, `≤ ${goals.ratio}`)}`,
  );
  print(`  the command's own overhead    ${seconds(commandMs - spanMs)}`);
}

function goal(met: boolean, text: string): string {
  return met ? `(goal ${text})` : `(goal ${text}: MISSED)`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

async function quickest(target: readonly string[]): Promise<Measured> {
  let best: Measured | undefined;
  for (let run = 0; run < runs; run++) {
    const measured = await measure(target);
    if (best === undefined || measured.result.traffic.spanMs < best.result.traffic.spanMs) {
      best = measured;
    }
  }
  if (best === undefined) throw new Error('no run');
  return best;
}

async function measure(target: readonly string[]): Promise<Measured> {
  const report = join(folder, 'report.json');
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [script, 'run', ...target, '--seed', '1', '--json', report, '--quiet'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [code] = await once(child, 'exit');
  const commandMs = performance.now() - started;
  if (code !== 0 && code !== 2) throw new Error(`touchstone run ended with ${code}`);
  return { result: JSON.parse(readFileSync(report, 'utf8')), commandMs };
}

async function startGateway(latencyMs: number): Promise<{ gateway: ChildProcess; file: string }> {
  const file = join(folder, 'gateway.yaml');
  const gateway = spawn(
    process.execPath,
    [script, 'serve', '--port', '0', '--latency-ms', String(latencyMs), '--write-target', file],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(gateway.stdout, 'data');
  return { gateway, file };
}

/** The gateway's target file, with so many requests at a time. */
function targetFile(file: string, concurrency: number): string {
  const limits = { concurrency, requestsPerSecond: null, timeoutMs: 60_000, patienceMs: 10_000 };
  const path = join(folder, `target-${concurrency}.yaml`);
  writeFileSync(path, stringify({ ...parse(readFileSync(file, 'utf8')), limits }));
  return path;
}
