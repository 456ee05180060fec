import type { RunResult } from '../../core/result.ts';
import { showable } from '../../target/header-rules.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { TargetOptions } from '../options/choose-target.ts';
import { inShell } from '../options/invocation.ts';

/**
 * What a run without a target file can be followed by: it knows of its gateway what the command line
 * says, and that is little. Empty for any other run, and for one that left nothing untested.
 */
export function moreWithAFile(
  { counts }: RunResult,
  { baseUrl, model = [], protocol, header = {} }: TargetOptions,
  { program = 'touchstone' }: Pick<Terminal, 'program'> = {},
): string {
  if (baseUrl === undefined || counts.untestable === 0) return '';
  const models = model.map((id) => ` --model ${inShell(id)}`).join('');
  // A secret that was typed is not repeated.
  const headers = Object.entries(showable(header, {}))
    .map(([name, value]) => ` --header ${inShell(`${name}: ${value}`)}`)
    .join('');
  const more = [
    '→ There is no target file yet. Look at the gateway, and write one to be added to:',
    `  ${program} init --base-url ${inShell(baseUrl)}${models}${headers}`,
    ...(protocol === undefined
      ? [
          '→ Only `responses` was taken to be declared: --protocol names what else the models declare.',
        ]
      : []),
  ];
  return `${more.join('\n')}\n`;
}
