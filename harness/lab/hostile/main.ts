/** `npm run hostile`: Touchstone against gateways that lie, flood, stall and inject, and against files of strangers. See README.md beside this file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { print, renewPage } from '../tables-in-page.ts';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.ts';
import { Draws } from './chance.ts';
import { hostileClients, tryClient } from './client-trial.ts';
import { figuresOf, type Tried } from './figures.ts';
import { fileAttacks } from './file-attacks.ts';
import { tryFile } from './file-trial.ts';
import { localAttacks } from './local-attacks.ts';
import { tryLocally } from './local-trial.ts';
import { subjectsIn } from './subjects.ts';
import { type Trial, tryAttacks } from './trial.ts';

const options = new Command('hostile')
  .description('Judges hostile gateways, files and clients.')
  .argument('[attacks...]', 'which, by the beginning of their ids: framing/, json/deep, files/har')
  .option('--within <n>', 'tries them in a drawn order, and ends after so many minutes', Number)
  .option('--seed <n>', 'what is drawn', Number, 1)
  .option('--every <n>', 'spoils one of so many answers', Number, 3)
  .option('--write', 'writes the figures into the README.md of this folder')
  .parse();
interface Chosen {
  readonly within?: number;
  readonly seed: number;
  readonly every: number;
  readonly write?: true;
}
const { within, seed, every, write } = options.opts<Chosen>();

const isChosen = ({ id }: { readonly id: string }): boolean =>
  options.args.length === 0 || options.args.some((start) => id.startsWith(start));

/** Checks on whose answers an attack can have an effect: about a hundred requests. */
const generations = ['responses', 'chat-completions', 'messages'].map(
  (name) => `generation/${name}`,
);
const filters = {
  stream: [...generations, 'generation/generative'].map((name) => `${name}-stream`),
  http: [...generations, 'storage/messages'],
  upgrade: ['websocket/'],
};
const tried: Tried[] = [];

function noteTrial(one: Tried & Pick<Trial, 'code'>): void {
  const { name, answers, verdict, code, seconds, megabytes, problems } = one;
  tried.push(one);
  print(
    `${problems.length === 0 ? 'ok ' : 'BAD'} ${name}: ${answers} spoiled, ${verdict ?? 'no verdict'}, ` +
      `exit code ${code}, ${seconds.toFixed(1)} s, ${megabytes} MB`,
  );
  for (const problem of problems) print(`      ${problem}`);
}

async function judgeAttacks(name: string, several: readonly Attack[]): Promise<void> {
  const [first] = several;
  const { to = 'any', wholeRunMegabytes } = several.length === 1 && first ? first : {};
  const where = to === 'any' || to === 'json' ? 'http' : to;
  const trial = await tryAttacks({
    attacks: several,
    seed,
    // A run asks for few streams and WebSockets: all of them are spoiled.
    every: where !== 'http' || wholeRunMegabytes !== undefined ? 1 : every,
    filters: wholeRunMegabytes === undefined ? filters[where] : [],
    mostSeconds: wholeRunMegabytes === undefined ? 180 : 400,
    mostMegabytes: wholeRunMegabytes,
  });
  const answers = [...trial.spoiled.values()].reduce((sum, count) => sum + count, 0);
  noteTrial({ name, ids: [...trial.spoiled.keys()], answers, ...trial });
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-files-'));
try {
  const asks = (start: string): boolean => start.startsWith('files') || 'files/'.startsWith(start);
  const subjects =
    options.args.length === 0 || options.args.some(asks) ? await subjectsIn(folder) : [];
  const alone = (id: string, attempt: () => ReturnType<typeof tryClient>) => ({
    id,
    act: async () => noteTrial({ name: id, ids: [id], answers: 1, ...(await attempt()) }),
  });
  const trials = [
    ...attacks.map((attack) => ({ id: attack.id, act: () => judgeAttacks(attack.id, [attack]) })),
    { id: 'together', act: () => judgeAttacks('together', attacks) },
    ...subjects.flatMap((subject) =>
      fileAttacks.map((attack) =>
        alone(`files/${subject.id}/${attack.id}`, () => tryFile(subject, attack, seed)),
      ),
    ),
    ...localAttacks.map((attack) => {
      const id = `local/${attack.id}`;
      return alone(id, () => tryLocally(attack, id, seed));
    }),
    ...hostileClients().map((name) => alone(`clients/${name}`, () => tryClient(name, seed))),
  ].filter(isChosen);
  if (trials.length === 0) options.error(`There is no ${options.args.join(', ')}.`);
  const draws = new Draws(seed, 'order');
  const last = Date.now() + (within ?? Number.POSITIVE_INFINITY) * 60_000;
  const tryOthers = async (): Promise<void> => {
    while (trials.length > 0 && Date.now() < last) {
      const at = within === undefined ? 0 : draws.below(trials.length);
      for (const { act } of trials.splice(at, 1)) await act();
    }
  };
  // Commands wait for time-outs half of the time.
  await Promise.all([tryOthers(), tryOthers()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const figures = figuresOf(tried);
print(`\n${figures}`);
if (write) renewPage('lab/hostile', 'hostile', { figures });
if (tried.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
