/** A command of a shell, as far as pages use them: words, quotes, variables, comments. */
export interface ShellCommand {
  readonly line: string;
  readonly words: readonly string[];
}

/**
 * The commands of a page: of its code blocks for a shell, but for those that are a program ("Shell, over
 * Chat Completions:"), and of its code spans, where these begin with the name of a tool.
 */
export function commandsIn(page: string): ShellCommand[] {
  const rest = page.replaceAll(/^[A-Z]\w+, over \w.*\n\n```[\s\S]*?^```/gm, '');
  const blocks = [...rest.matchAll(/^```(?:sh|bash|shell|console)\n([\s\S]*?)^```/gm)];
  const prose = rest.replaceAll(/^```[\s\S]*?^```/gm, '');
  const spans = [...prose.matchAll(/`((?:[A-Z_]+=\S+ )?(?:npx|npm|docker|kubectl) [^`]+)`/g)];
  return [...blocks, ...spans].flatMap(([, code = '']) => shellCommands(code));
}

/** The commands of a script: one a line, or behind `&&`. */
export function shellCommands(script: string): ShellCommand[] {
  return script
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => line.split(' && '))
    .map((line) => ({ line: line.trim(), words: wordsOf(line) }))
    .filter(({ words }) => words.length > 0);
}

function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [, comment, plain, single, double] of line.matchAll(
    /(?<=^|\s)(?:(#.*)|((?:[^\s'"#]|\b#)+)|'([^']*)'|"([^"]*)")(?=\s|$)/g,
  )) {
    if (comment !== undefined) break;
    words.push(plain ?? single ?? double ?? '');
  }
  return words;
}
