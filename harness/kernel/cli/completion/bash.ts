import { type CompletedCommand, programNames, sharedLists } from './words.ts';

/** Returns the completion script for bash, 3.2 and newer. It needs no further package. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const lists = sharedLists(commands);
  const wordsOf = (values: readonly string[] | string): string => {
    const words = typeof values === 'string' ? '' : values.join(' ');
    const list = lists.get(words);
    return list === undefined ? `'${words}'` : `$${list}`;
  };
  const names = commands.map(({ name }) => name);
  const cases = commands.flatMap(({ name, options, values }) => [
    ...options.flatMap((option) => {
      const flags = [option.short, option.long].filter((flag) => flag !== undefined);
      if (option.values === null) return [];
      const places = flags.map((flag) => `'${name} ${flag}'`).join('|');
      return [`    ${places}) words=${wordsOf(option.values)} ;;`];
    }),
    `    '${name} '*)`,
    `      options='${options.map(({ long }) => long).join(' ')}'`,
    `      words=${wordsOf(values)} ;;`,
  ]);
  return `# Completion of touchstone for bash: eval "$(touchstone completion bash)"
${[...lists].map(([words, name]) => `${name}='${words}'`).join('\n')}
_touchstone() {
  # What bash has already split off the word, at @, : or =, is not put in again.
  local line=\${COMP_LINE:0:COMP_POINT} word split before=\${COMP_WORDS[COMP_CWORD-1]} command= i one
  local words= options=
  word=\${line##*[[:space:]]}
  split=\${word%"$2"}
  case $word in --*=*) before=\${word%%=*} split= word=\${word#*=} ;; *)
    [[ $before == @ || $before == : ]] && before=\${COMP_WORDS[COMP_CWORD-2]} ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in --) return ;; -*|@|:|=) ;; *) command=\${COMP_WORDS[i]}; break ;; esac
  done
  for ((i++; i < COMP_CWORD; i++)); do [[ \${COMP_WORDS[i]} == -- ]] && return; done
  case "$command $before" in
    ' '*) words='${names.join(' ')}' options='--help --version' ;;
${cases.join('\n')}
  esac
  [[ $word == -* ]] && words=$options
  COMPREPLY=()
  for one in $(compgen -W "$words" -- "$word"); do COMPREPLY+=("\${one#"$split"}"); done
}
# Where no word fits, a file may.
complete -o default -F _touchstone ${programNames.join(' ')}
`;
}
