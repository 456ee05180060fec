/**
 * `npm run bench:serve`: what a request costs `touchstone serve`, compared with what it costs aimock, the best-known
 * mock, which is installed for this alone. It is processor time of the server, in turns and in one sitting,
 * so that a busy machine hits both alike. Ends with 1 where a goal is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '../../kernel/cli/index.ts';
import { print } from '../tables-in-page.ts';
import { answerTo, load, type RepeatedRequest } from './load.ts';
import type { Measured } from './measured.ts';
import { askAimock, askServe, type LoadCase, loads, startAimock, startServe } from './peers.ts';
import { measureSmoothness } from './smooth.ts';

/** The most that a request may cost, as a part of what it costs aimock. */
const goal = 0.7;
const warmUp = 2;

const options = new Command('bench:serve')
  .description('Compares the processor time of touchstone serve with that of aimock.')
  .option('--requests <n>', 'requests in each round', wholeNumber(1, 1e6), 2_000)
  .option('--rounds <n>', 'rounds of each, in turns; the middle one counts', wholeNumber(1, 99), 5)
  .option('--connections <n>', 'over which they come, one by one on each', wholeNumber(1, 999), 8)
  .option('--only <words>', 'only the loads whose name has these words')
  .option('--smooth', 'only long streams, many streams and much that is stored')
  .option('--folder <path>', 'where aimock is installed; what is there is used again')
  .parse()
  .opts<{
    requests: number;
    rounds: number;
    connections: number;
    only?: string;
    smooth?: true;
    folder?: string;
  }>();
const { requests, rounds, connections, only = '' } = options;
const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'touchstone-bench-'));

interface Subject {
  readonly name: string;
  readonly server: Measured;
  readonly ask: (load: LoadCase) => RepeatedRequest;
}

print(
  `Node ${process.version}, ${availableParallelism()} cores; ${connections} connections, ` +
    `the middle one of ${rounds} rounds of ${requests} requests each.\n`,
);
if (options.smooth === true) {
  await measureSmoothness();
  process.exit();
}
const started: Measured[] = [];
try {
  const serve = await startServe();
  started.push(serve);
  const { text, pieces } = await spoken(serve);
  const usual = await startAimock(folder, text, null);
  started.push(usual);
  const alike = await startAimock(folder, text, Math.ceil(text.length / pieces));
  started.push(alike);
  const subjects: Subject[] = [
    { name: 'serve', server: serve, ask: askServe },
    { name: 'aimock', server: usual, ask: askAimock },
    { name: 'aimock, as many events', server: alike, ask: askAimock },
  ];
  for (const one of loads.filter(({ name }) => name.includes(only)))
    await measurePair(one, subjects);
  if (only === '') await measureSmoothness();
} finally {
  for (const one of started) one.end();
  if (options.folder === undefined) rmSync(folder, { recursive: true });
}

/** Text with which `serve` answers the question: aimock is given the same text. */
async function spoken(serve: Measured): Promise<{ text: string; pieces: number }> {
  const [chat] = loads.filter(({ protocol, stream }) => protocol === 'chat' && stream);
  if (chat === undefined) throw new Error('There is no stream of chat.');
  const { text } = await answerTo(serve.port, askServe(chat));
  const pieces = [...text.matchAll(/"delta":\{"content":"(.*?)"\}/g)].map(([, piece]) => piece);
  return { text: pieces.join(''), pieces: pieces.length };
}

/** Prints a line for each subject, and fails the command where the first one costs too much. */
async function measurePair(one: LoadCase, subjects: readonly Subject[]): Promise<void> {
  const costs = subjects.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, { server, ask }] of subjects.entries()) {
      const before = await server.usage();
      await load(server.port, ask(one), { times: requests, connections });
      const after = await server.usage();
      // The first rounds are for the compiler.
      if (round >= 0) costs[index]?.push((after.cpu - before.cpu) / requests);
    }
  }
  print(one.name);
  for (const [index, { name, server, ask }] of subjects.entries()) {
    const { bytes, events } = await answerTo(server.port, ask(one));
    const cost = middle(costs[index] ?? []);
    // Round by round: what else the machine did then, it did to both.
    const ratio = middle(
      (costs[0] ?? []).map((own, at) => own / (costs[index]?.[at] ?? Number.NaN)),
    );
    const isMissed = ratio > goal && index === 1;
    if (isMissed) process.exitCode = 1;
    print(
      `  ${name.padEnd(24)}${cost.toFixed(0).padStart(5)} µs  ` +
        `${String(events).padStart(3)} events  ${String(bytes).padStart(6)} bytes` +
        (index === 0 ? '' : `  serve ÷ this: ${ratio.toFixed(2)}`) +
        (isMissed ? ` (goal ≤ ${goal}: MISSED)` : ''),
    );
  }
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
