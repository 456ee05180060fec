import { Command } from 'commander';
import {
  add,
  chooseTarget,
  collect,
  optionGroups,
  type TargetOptions,
  usualFile,
  usualTarget,
} from '../../../kernel/cli/index.ts';
import { commandLine, exitCodes, inShell } from '../../../kernel/core/index.ts';
import { plan, plannedObstacle } from '../../../kernel/engine/index.ts';
import { asker } from '../../../kernel/probing/index.ts';
import { type Block, counted, paragraph, printed } from '../../../kernel/report/index.ts';
import type { Target } from '../../../kernel/targets/index.ts';
import {
  interrupted,
  interruptible,
  type Terminal,
  wantsColour,
} from '../../../kernel/terminal/index.ts';
import { type Finding, runDoctorChecks } from '../index.ts';
import { findingItems } from './finding-items.ts';

interface DoctorOptions extends Omit<TargetOptions, 'target'> {
  readonly target?: readonly string[];
  readonly color: boolean;
}

/** `touchstone doctor`: checks that a target file fits its gateway. Generates nothing. */
export function doctorCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('doctor')
    .summary('check that a target file fits its gateway')
    .description(
      'Checks that a target file fits its gateway: regions, keys, models, headers, probes. Sends only ' +
        'requests that are free of charge: lists, token counts, invalid requests.',
    )
    .option(
      '-t, --target <file>',
      'a target file (YAML); may be repeated (touchstone.yaml)',
      collect,
    );
  return add(command, ...optionGroups.inlineTarget)
    .option('--no-color', 'plain text; the NO_COLOR variable does the same')
    .addHelpText('after', examples)
    .action(async ({ target: files, ...rest }: DoctorOptions) => {
      const options = {
        ...rest,
        target: usualTarget({ ...rest, target: files }, 'nothing', terminal),
      };
      const each: TargetOptions[] = files?.map((target) => ({ ...options, target })) ?? [options];
      let worst: number = exitCodes.conformant;
      for (const one of each) worst = Math.max(worst, await look(one, options.color, terminal));
      exit(worst);
    });
}

async function look(options: TargetOptions, colour: boolean, terminal: Terminal): Promise<number> {
  const { signal, release } = interruptible(terminal, () => {});
  const { target, close } = await chooseTarget(options, terminal, signal, 'presumed');
  try {
    const { program = 'touchstone' } = terminal;
    const init = `${program} ${commandLine(['init', '--update', options.target ?? 'FILE', '--generate'])}`;
    const findings = await runDoctorChecks(target, asker(target, signal), init);
    if (signal.aborted) return interrupted;
    const { stdout, environment } = terminal;
    const list: Block = { block: 'list', items: findingItems(findings) };
    const end = await endOf(target, options.target, findings, program);
    const blocks: readonly Block[] = [
      { block: 'section', title: target.name, blocks: [list] },
      paragraph(''),
      ...end,
    ];
    const colours = colour && wantsColour(stdout, environment);
    const document = { kind: 'doctor', title: target.name, conclusion: null, blocks };
    stdout.write(printed(document, { colour: colours, width: stdout.columns || 100 }));
    if (findings.some(({ mark }) => mark === 'unreachable')) return exitCodes.unreachable;
    const wrong = findings.some(({ mark }) => mark === 'wrong');
    return wrong ? exitCodes.usage : exitCodes.conformant;
  } finally {
    release();
    await close();
  }
}

/**
 * Summarises the findings: problems to fix first. Without problems, how much a run can judge, and what it will report.
 */
async function endOf(
  target: Target,
  file: string | undefined,
  findings: readonly Finding[],
  program: string,
): Promise<readonly Block[]> {
  const wrong = findings.filter(({ mark }) => mark === 'wrong' || mark === 'unreachable').length;
  if (wrong > 0) return [paragraph(`${counted(wrong, 'problem')} to fix.`)];
  const { checks } = await plan(target);
  const kinds = checks.map((check) => {
    const obstacle = plannedObstacle(check);
    // Features that the target file declares to be absent need no addition.
    return obstacle?.restriction === undefined ? (obstacle?.kind ?? 'ready') : 'not-applicable';
  });
  const count = (kind: (typeof kinds)[number]): number =>
    kinds.filter((one) => one === kind).length;
  const left = count('untestable');
  const applicable = count('ready') + left;
  const failing = findings.filter(({ fails }) => fails === true).length;
  const ready = `Ready: ${count('ready')} of ${applicable} checks can be judged.`;
  const forecast =
    failing === 0
      ? ''
      : ` ${failing === 1 ? '1 finding' : `${failing} findings`} above will be reported by a run.`;
  const named = file === undefined || file === usualFile ? '' : ` --target ${inShell(file)}`;
  const what = `No problems with the target file. ${ready}${forecast}`;
  if (file === undefined) return [paragraph(what)];
  const commands = ['plan', 'run'].map((name) => `  ${program} ${name}${named}`);
  return [paragraph(what), paragraph('Next:'), { block: 'verbatim', text: commands.join('\n') }];
}

const examples = `
Examples:
  touchstone doctor --target staging.yaml
      before the first run, and when a run comes to nothing
  touchstone doctor --target staging.yaml --target production.yaml

✓ fine · ✗ wrong, with what to do · ? not declared, or cannot be seen without a generation

Exit codes: 0 nothing is wrong · 3 the target file does not fit, or wrong usage · 4 unreachable, or
the owner's key is refused`;
