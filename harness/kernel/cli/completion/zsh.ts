import { type CompletedCommand, programNames, sharedLists, type Values } from './words.ts';

/** Returns the completion script for zsh, based on its completion system. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const lists = sharedLists(commands);
  return `#compdef ${programNames.join(' ')}
# Completion of touchstone for zsh, after compinit: eval "$(touchstone completion zsh)"
${[...lists].map(([words, name]) => `${name}=(${words})`).join('\n')}
_touchstone() {
  local -a found
  local command=$words[2] before=$words[CURRENT-1]
  if (( CURRENT == 2 )); then
    found=(
${commands.map(({ name, summary }) => `      ${described(name, summary)}`).join('\n')}
    )
    _describe command found
    return
  fi
  if (( \${words[(i)--]} < CURRENT )); then
    _files
    return
  fi
  case "$command $before" in
${commands.flatMap((command) => casesOf(command, lists)).join('\n')}
  esac
}
(( $+functions[compdef] )) && compdef _touchstone ${programNames.join(' ')}
`;
}

type Lists = ReturnType<typeof sharedLists>;

function casesOf({ name, options, values }: CompletedCommand, lists: Lists): string[] {
  const flagsOf = ({ short, long }: (typeof options)[number]): string[] =>
    [short, long].filter((flag) => flag !== undefined);
  return [
    ...options.flatMap((option) =>
      option.values === null
        ? []
        : [
            `    ${flagsOf(option)
              .map((flag) => quoted(`${name} ${flag}`))
              .join('|')}) ${offer(option.values, lists)} ;;`,
          ],
    ),
    `    ${quoted(`${name} `)}*)`,
    '      if [[ $PREFIX == -* ]]; then',
    `        found=(${options.map(({ long, description }) => described(long, description)).join(' ')})`,
    '        _describe option found',
    `      else ${offer(values, lists)}; fi ;;`,
  ];
}

function offer(values: Values, lists: Lists): string {
  if (values === 'files') return '_files';
  if (values === 'anything') return '_message value';
  const list = lists.get(values.join(' '));
  return `compadd -- ${list === undefined ? values.map(quoted).join(' ') : `$${list}`} || _files`;
}

/** Returns `name:description`, the format of \`_describe\`. */
function described(name: string, what: string): string {
  return quoted(`${name.replaceAll(':', '\\:')}:${what}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
