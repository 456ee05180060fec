/** `npm run hostile`: Touchstone against gateways that lie, flood, stall and inject. See README.md beside this file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { packageRoot } from '../../kernel/core/index.ts';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.ts';
import { figuresOf, type Tried } from './figures.ts';
import { tryAttacks } from './trial.ts';

const options = new Command('hostile')
  .description('Judges hostile gateways, attack by attack, and then several at once.')
  .argument('[attacks...]', 'which, by the beginning of their ids: framing/, json/deep')
  .option('--minutes <n>', 'goes on with attacks drawn at random until then', Number, 0)
  .option('--seed <n>', 'what is drawn', Number, 1)
  .option('--every <n>', 'spoils one of so many answers', Number, 3)
  .option('--write', 'writes the figures into the README.md of this folder')
  .parse();
const {
  minutes,
  seed,
  every,
  write = false,
} = options.opts<{
  minutes: number;
  seed: number;
  every: number;
  write?: boolean;
}>();
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const chosen = attacks.filter(
  ({ id }) => options.args.length === 0 || options.args.some((start) => id.startsWith(start)),
);
if (chosen.length === 0) options.error(`There is no ${options.args.join(', ')}.`);

/** Checks on whose answers an attack can have an effect: about a hundred requests. */
const filters = {
  stream: [
    'generation/responses-stream',
    'generation/chat-completions-stream',
    'generation/messages-stream',
    'generation/generative-stream',
  ],
  http: [
    'generation/responses',
    'generation/chat-completions',
    'generation/messages',
    'storage/messages',
  ],
  upgrade: ['websocket/'],
};
const tried: Tried[] = [];

async function judge(
  name: string,
  several: readonly Attack[],
  seeded: number,
  where: readonly string[],
) {
  const trial = await tryAttacks({
    attacks: several,
    seed: seeded,
    // A run asks for few streams and WebSockets: all of them are spoiled.
    every: where === filters.http ? every : 1,
    filters: where,
    mostSeconds: 180,
  });
  const { spoiled, seconds, megabytes, code, verdict, problems } = trial;
  const answers = [...spoiled.values()].reduce((sum, count) => sum + count, 0);
  tried.push({ name, ids: [...spoiled.keys()], answers, ...trial });
  print(
    `${problems.length === 0 ? 'ok ' : 'BAD'} ${name}: ${answers} answers, ${verdict ?? 'no verdict'} (${code}), ${seconds.toFixed(1)} s, ${megabytes} MB`,
  );
  for (const problem of problems) print(`      ${problem}`);
}

function placeOf({ to }: Attack): readonly string[] {
  if (to === 'upgrade') return filters.upgrade;
  return to === 'stream' ? filters.stream : filters.http;
}

const until = Date.now() + minutes * 60_000;
for (const attack of chosen) {
  await judge(attack.id, [attack], seed, placeOf(attack));
}
for (let round = 1; Date.now() < until; round++) {
  // Everything but WebSockets, whose attacks take as long as the time-out each.
  await judge(`all, seed ${seed + round}`, chosen, seed + round, filters.http);
}

const figures = figuresOf(tried);
print(`\n${figures}`);
if (write) {
  const page = join(packageRoot, 'harness', 'lab', 'hostile', 'README.md');
  const [before, rest = ''] = readFileSync(page, 'utf8').split('<!-- figures -->');
  const after = rest.split('<!-- /figures -->')[1] ?? '';
  writeFileSync(page, `${before}<!-- figures -->\n\n${figures}\n\n<!-- /figures -->${after}`);
}
if (tried.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
