/** Something that the machine, its shell or its user does to a command. */
export interface LocalAttack {
  readonly id: string;
  /** Script of `sh` that starts the command, which is `"$@"`. */
  readonly script?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: NodeJS.Signals;
  /** Options of a run, with `{}` for the folder of its reports. */
  readonly options?: readonly string[];
}

const script = (id: string, text: string): LocalAttack => ({ id, script: text });
const env = (id: string, ...variables: readonly (readonly [string, string])[]): LocalAttack => ({
  ...{ id, env: Object.fromEntries(variables) },
});
const output = (id: string, ...options: readonly string[]): LocalAttack => ({ id, options });
const names = {
  long: 'a'.repeat(255),
  'too-long': 'a'.repeat(300),
  shell: '$(touch made) `id`;"\'',
  lines: 'a\n::error::injected\u001b[2J',
  unicode: '\u202e語\u0301\ufeff',
};

export const localAttacks: readonly LocalAttack[] = [
  ...['stdout', 'stderr', 'stdin'].flatMap((name, n) => {
    const descriptor = [1, 2, 0][n];
    const closing = script(`closed-${name}`, `exec "$@" ${descriptor}>&-`);
    return name === 'stdin'
      ? [closing]
      : [closing, script(`full-${name}`, `exec "$@" ${descriptor}>/dev/full`)];
  }),
  script('closed-pipe', 'f=$(mktemp -u); mkfifo "$f"; head -c 1 "$f" >/dev/null & exec "$@" >"$f"'),
  ...[20, 24, 40, 64].map((most) => script(`files-${most}`, `ulimit -n ${most}; exec "$@"`)),
  ...[0, 8, 64].map((most) => script(`file-of-${most}-blocks`, `ulimit -f ${most}; exec "$@"`)),
  ...[20, 40, 64, 80, 112].map((most) =>
    env(`heap-${most}`, ['NODE_OPTIONS', `--max-old-space-size=${most}`]),
  ),
  script('no-working-folder', 'd=$(mktemp -d) && cd "$d" && rmdir "$d"; exec "$@"'),
  script('no-variables', 'exec env -i "$@"'),
  script('umask', 'umask 0777; exec "$@"'),
  script('lowest-priority', 'exec nice -n 19 "$@"'),
  env('no-home', ['HOME', '/nowhere/at/all']),
  env('no-temporary-folder', ['TMPDIR', '/nowhere/at/all']),
  env('narrow', ['COLUMNS', '1'], ['LINES', '1']),
  env('wide', ['COLUMNS', '1e9']),
  env('dumb', ['TERM', 'dumb'], ['LC_ALL', 'C']),
  env('odd-time-zone', ['TZ', 'Pacific/Kiritimati']),
  env('wrong-time-zone', ['TZ', ':/dev/zero']),
  env('proxy', ['HTTPS_PROXY', 'http://127.0.0.1:1'], ['HTTP_PROXY', 'http://127.0.0.1:1']),
  env('odd-proxy', ['HTTP_PROXY', 'file:///etc/passwd']),
  ...(
    ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGPIPE', 'SIGUSR2', 'SIGALRM', 'SIGKILL'] as const
  ).map((signal) => ({ id: signal, signal })),
  ...Object.entries(names).map(([name, file]) => output(`name-${name}`, '--html', `{}/${file}`)),
  output('report-onto-full-disk', '--html', '/dev/full'),
  output('report-into-nothing', '--html', '/dev/null'),
  output('report-into-proc', '--html', '/proc/self/none'),
  output('report-onto-folder', '--html', '{}'),
  output('report-onto-report', '--html', '{}/report.json'),
  output('report-onto-recording', '--junit', '{}/./recording'),
];
