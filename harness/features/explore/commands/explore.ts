import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import {
  add,
  assertThere,
  decimal,
  type ExplorationFiles,
  optionGroups,
  type Ready,
  type TargetOptions,
  usualTarget,
  wholeNumber,
  withTarget,
} from '../../../kernel/cli/index.ts';
import { exitCodes } from '../../../kernel/core/index.ts';
import { assertWritable, stopped, type Terminal } from '../../../kernel/terminal/index.ts';
import type { SoFar } from '../index.ts';
import { addExplorationReports } from './options.ts';

interface ExploreOptions extends TargetOptions, ExplorationFiles {
  readonly generations: number;
  readonly requests: number;
  readonly minutes: number;
  readonly seed?: number;
  readonly atOnce: number;
  readonly record?: string;
  readonly color: boolean;
}

/** `touchstone explore`: random histories of several keys, compared with the specification. */
export function exploreCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('explore')
    .summary('look for sequences of requests that break the specification')
    .description(
      'Draws histories of several keys and regions (create, continue, look up, cancel, delete, one after another ' +
        'and side by side), performs them, and compares each answer with the specification. What breaks it is ' +
        'made as short as the bounds allow, and told with the curl lines that repeat it.',
    )
    .optionsGroup('What to explore:')
    .option(
      '-t, --target <file>',
      'a target file (YAML), which describes the gateway (touchstone.yaml)',
    );
  add(command, ...optionGroups.inlineTarget, 'reference')
    .optionsGroup('How long:')
    .option('--generations <n>', 'ask for n generations at most', wholeNumber(1, 1e6), 200)
    .option('--requests <n>', 'send n requests at most', wholeNumber(1, 1e7), 5_000)
    .option('--minutes <n>', 'end after n minutes at the latest', decimal(0.001, 10_080), 10)
    .option('--seed <n>', 'draw the histories of an earlier call', wholeNumber(0, 1e10))
    .optionsGroup('How to run:');
  add(command, ...optionGroups.rate)
    .option(
      '--at-once <n>',
      'perform n histories at the same time; each keeps to its order, and all together to --concurrency, --rps ' +
        'and the pace that the gateway asks for; the histories of a seed are the same',
      wholeNumber(1, 1_000),
      4,
    )
    .optionsGroup('Reports:');
  return addExplorationReports(command)
    .option(
      '--record <file>',
      'record every exchange, one JSON object per line; keys are masked; from 256 MiB on only what a find rests on',
    )
    .option('--no-color', 'plain text; the NO_COLOR variable does the same')
    .addHelpText('after', examples)
    .action(async (options: ExploreOptions) => {
      const target = options.target ?? usualTarget(options, 'nothing', terminal);
      exit(
        await withTarget({ ...options, target }, options.color, terminal, (ready) =>
          exploreTarget(ready, options, terminal),
        ),
      );
    });
}

async function exploreTarget(
  ready: Ready,
  options: ExploreOptions,
  terminal: Terminal,
): Promise<number> {
  const { stderr } = terminal;
  const { target, signal, progress } = ready;
  const { exploreAndRecord } = await import('./explore-and-record.ts');
  const { deliverExploration } = await import('./deliver.ts');
  const { costInWords, soFarInWords } = await import('./progress-words.ts');
  const { worldOf } = await import('../world.ts');
  if (worldOf(target).models.length === 0) {
    stderr.write(
      'There is nothing to explore: no model of the target speaks Responses, and the others store nothing. ' +
        'Whether their answers are mixed up when others ask, run --under-load N shows.\n',
    );
    return exitCodes.undecided;
  }
  const { html, json, script, record, color: colour } = options;
  assertWritable({ html, json, script, record });
  await assertThere(ready, options);
  const { generations, requests, minutes } = options;
  const seed = options.seed ?? randomInt(2 ** 31);
  const { atOnce } = options;
  const bounds = { generations, requests, minutes };
  const cost = costInWords(bounds, target.limits.maxOutputTokens, atOnce);
  progress.say(`${cost} Seed ${seed}.`);
  const onMoved = (soFar: SoFar): void =>
    progress.tell((elapsedMs) => soFarInWords(soFar, bounds, elapsedMs));
  const { explored, unrecorded, leftOut, ...how } = await exploreAndRecord(
    { target, seed, signal, atOnce, onMoved },
    bounds,
    record,
  ).finally(() => progress.end());
  if (explored.histories === 0 && signal.aborted) return stopped(terminal);
  const files = { html, json, script };
  const delivery = { colour, record, unrecorded, leftOut };
  return deliverExploration(explored, { target, ...how }, files, terminal, delivery);
}

const examples = `
Examples:
  touchstone explore --target staging.yaml --generations 100
      a first look; the end says the seed, with which it can be repeated
  touchstone explore --target staging.yaml --seed 7 --minutes 30 --generations 2000
      half an hour, with the histories of seed 7
  touchstone explore --target staging.yaml --html found.html --script found.sh --record found.jsonl
      what was found as a page, as a program that repeats it, and with all exchanges for touchstone recheck

Exit codes: 0 nothing was found · 1 something breaks the specification · 2 no history was decided, or it
was interrupted · 3 wrong usage or target file · 4 unreachable · 5 Touchstone itself crashed ·
130 Ctrl-C before anything was judged, or twice. The first Ctrl-C ends it with what was found, the
second at once, without reports: touchstone recheck makes them of what was recorded until then.`;
