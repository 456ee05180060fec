import type { Command } from 'commander';
import { forgetPaths } from '../../redaction/index.ts';
import { assertApart } from '../../terminal/index.ts';

/** True if the flags of an option, or the name of an argument, stand for files or folders. */
export function isOfFiles(named: string): boolean {
  const [, placeholder = named] = /[<[](.+?)(?:\.\.\.)?[\]>]/.exec(named) ?? [];
  return /^(?:files?|folder|dir|reports?|recording|bundles?|old|new)$/.test(placeholder);
}

/** Options that name what a command reads. All others of files name what it writes. */
const reading =
  /^--(?:har|key|known-failures|policy|public-key|recordings|rerun-failed|target|with)$/;

/** Notes what a command line names. @throws {UsageError} if an output is another output or an input */
export function usePathsOf(command: Command): void {
  forgetPaths();
  const use = (how: 'read' | 'written', value: unknown, option = ''): void => {
    for (const path of [value].flat()) {
      if (typeof path !== 'string') continue;
      assertApart(how, path, option === '' ? path : `${option} ${path}`);
    }
  };
  command.registeredArguments.forEach((argument, index) => {
    if (isOfFiles(argument.name())) use('read', command.processedArgs[index]);
  });
  for (const option of command.options.filter(({ flags }) => isOfFiles(flags))) {
    const { long = '' } = option;
    const value: unknown = command.getOptionValue(option.attributeName());
    use(reading.test(long) ? 'read' : 'written', value, long);
  }
}
