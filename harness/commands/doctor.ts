import { Command } from 'commander';
import { createColors } from 'picocolors';
import { exitCodes } from '../core/verdict.ts';
import { runDoctorChecks } from '../onboarding/doctor-checks.ts';
import type { Finding } from '../onboarding/finding.ts';
import { asker } from '../onboarding/free-requests.ts';
import { printable } from '../report/printable.ts';
import { counted } from '../report/words.ts';
import { interrupted, interruptible } from '../terminal/interruption.ts';
import { type Terminal, wantsColour } from '../terminal/terminal.ts';
import { findingLines } from './finding-lines.ts';
import { chooseTarget, type TargetOptions } from './options/choose-target.ts';
import { addInlineTarget } from './options/command-options.ts';
import { collect } from './options/option-values.ts';
import { usualTarget } from './options/usual-target.ts';

interface DoctorOptions extends Omit<TargetOptions, 'target'> {
  readonly target?: readonly string[];
  readonly color: boolean;
}

/** `touchstone doctor`: whether a target file fits its gateway. Generates nothing. */
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
  return addInlineTarget(command)
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
  const { target, close } = await chooseTarget(options, terminal, signal);
  try {
    const findings = await runDoctorChecks(target, asker(target, signal));
    if (signal.aborted) return interrupted;
    const { stdout, environment } = terminal;
    const painted = colour && wantsColour(stdout, environment);
    stdout.write(table(target.name, findings, painted, stdout.columns || 100));
    if (findings.some(({ mark }) => mark === 'unreachable')) return exitCodes.unreachable;
    const wrong = findings.some(({ mark }) => mark === 'wrong');
    return wrong ? exitCodes.usage : exitCodes.conformant;
  } finally {
    release();
    await close();
  }
}

function table(
  name: string,
  findings: readonly Finding[],
  colour: boolean,
  columns: number,
): string {
  const width = Math.min(Math.max(columns, 60), 120);
  const lines = findingLines(findings, colour, width);
  const wrong = findings.filter(({ mark }) => mark === 'wrong' || mark === 'unreachable').length;
  const end =
    wrong === 0
      ? 'No problems found. Next: touchstone plan, then touchstone run.'
      : `${counted(wrong, 'problem')} to fix.`;
  return [createColors(colour).bold(printable(name)), ...lines, '', end, ''].join('\n');
}

const examples = `
Examples:
  touchstone doctor --target staging.yaml
      before the first run, and when a run comes to nothing
  touchstone doctor --target staging.yaml --target production.yaml

✓ fine · ✗ wrong, with what to do · ? not declared, or cannot be seen without a generation

Exit codes: 0 nothing is wrong · 3 the target file does not fit, or wrong usage · 4 unreachable, or
the owner's key is refused`;
