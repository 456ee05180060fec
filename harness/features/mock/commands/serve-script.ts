import { type Watching, watchFiles } from '../../../kernel/cli/index.ts';
import { counted } from '../../../kernel/report/index.ts';
import { loadScript, TargetError } from '../../../kernel/targets/index.ts';
import type { Output } from '../../../kernel/terminal/index.ts';
import type { ReferenceGateway } from '../../../reference/index.ts';

/** Tells of what is allowed in a script, and surely not meant. */
export function warning(output: Output): (told: string) => void {
  return (told) => void output.write(`Warning: ${told}\n`);
}

/** Reloads a script whenever its file changes. Errors in the new one are reported, and the old one stays. */
export function reloading(
  path: string,
  gateway: Pick<ReferenceGateway, 'useScript'>,
  output: Output,
): Promise<Watching> {
  return watchFiles({ files: [path], folders: [], except: [] }, () => {
    try {
      const script = loadScript(path, warning(output));
      gateway.useScript(script);
      output.write(`${path}: ${counted(script.rules.length, 'rule')}, from now on.\n`);
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      output.write(`${error.message}\n\nWhat was there before is played on.\n`);
    }
  });
}
