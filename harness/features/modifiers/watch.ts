import { givenIn, type Modifier, openIn } from '../../kernel/cli/index.ts';
import { type Terminal, UsageError } from '../../kernel/terminal/index.ts';

const options = {
  watch: {
    flags: '-w, --watch',
    help: 'run again on Enter what did not pass, or everything once all passed; Ctrl-C ends it',
    group: 'How to run:',
    isUnrepeated: true,
    notInput: 'nobody is there to press Enter',
  },
} as const;

/** `--watch`: judges and reports again whenever the user asks for it. */
export const watch: Modifier = {
  options,
  around: 'reports',
  examples: `
  touchstone run --target dev.yaml --watch
      while you work on a gateway: on Enter, what did not pass; once that passes, everything`,
  assertUsable(given, { onLine }) {
    if (givenIn(options, given).watch !== true) return;
    const { target = [], generations } = given;
    if (onLine === undefined) {
      throw new UsageError(
        '--watch runs again on Enter, and nobody can press it here: leave it out.',
      );
    }
    if (generations !== undefined) {
      throw new UsageError(
        '--watch and --generations: a watch runs as often as you press Enter, so a budget for one run says ' +
          'little. Leave one out, or name the ids that you work on.',
      );
    }
    if (target.length > 1) {
      throw new UsageError('--watch is for the gateway that you work on: name one target with it.');
    }
  },
  modify: (judge) => async (target, request) => {
    const first = await judge(target, request);
    if (givenIn(options, request.options).watch !== true) return first;
    return {
      ...first,
      async begin(sending) {
        for (let planned = first; ; ) {
          const result = await planned.begin(sending);
          if (sending.signal.aborted) return result;
          sending.progress.say('\nEnter: again · a, Enter: everything · Ctrl-C: end');
          const typed = await nextLine(sending.terminal, sending.signal);
          if (typed === null) return result;
          const only = typed.trim().toLowerCase() === 'a' ? undefined : openIn(result);
          // All runs have equal seeds, so that they can be compared, and each has the full time.
          const again = { ...request, seed: first.seed, since: performance.now() };
          planned = await judge(target, { ...again, only });
        }
      },
    };
  },
};

/** Returns the next typed line, or null when the signal is aborted. */
function nextLine({ onLine }: Terminal, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const end = (line: string | null): void => {
      release?.();
      signal.removeEventListener('abort', aborted);
      resolve(line);
    };
    const aborted = (): void => end(null);
    const release = onLine?.(end);
    signal.addEventListener('abort', aborted);
  });
}
