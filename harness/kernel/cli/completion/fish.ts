import { type CompletedCommand, programNames, sharedLists, type Values } from './words.ts';

/** Returns the completion script for fish. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const lists = sharedLists(commands);
  const offered = (values: Values): string => {
    if (values === 'files') return '-F';
    if (values === 'anything') return '-f';
    const list = lists.get(values.join(' '));
    // Expanded at completion time.
    return `-f -a ${quoted(list === undefined ? values.join(' ') : `$${list}`)}`;
  };
  const lines = programNames.flatMap((program) => [
    ...commands.map(
      ({ name, summary }) =>
        `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(({ name, options, values }) => {
      const here = `complete -c ${program} -n '__fish_seen_subcommand_from ${name}'`;
      return [
        ...(values === 'files' ? [] : [`${here} ${offered(values)}`]),
        ...options.map(
          (option) =>
            `${here} ${option.short === undefined ? '' : `-s ${option.short.slice(1)} `}` +
            `-l ${option.long.slice(2)} ${option.values === null ? '' : `-r ${offered(option.values)} `}` +
            `-d ${quoted(option.description)}`,
        ),
      ];
    }),
  ]);
  const sets = [...lists].map(([words, name]) => `set -g ${name} ${words}`).join('\n');
  return `# Completion of touchstone for fish: touchstone completion fish | source\n${sets}\n${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
