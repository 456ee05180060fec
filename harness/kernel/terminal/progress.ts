import type { Progress } from '../engine/index.ts';
import { leftInWords, roundInWords, waitingInWords, wrap } from '../report/index.ts';
import { LiveBlock } from './live-block.ts';
import { type BlockOptions, dimmed, progressBlock } from './progress-block.ts';
import { type Output, type Terminal, wantsColour } from './terminal.ts';

export interface ProgressDisplay {
  update(progress: Progress): void;
  /** Shows a line in place of checks. The line is formatted anew at each repaint. */
  tell(line: (elapsedMs: number) => string): void;
  /** Prints a line above the live block. */
  say(line: string): void;
  end(): void;
}

interface ProgressOptions {
  readonly environment: Terminal['environment'];
  /** False after `--no-color`. */
  readonly colour: boolean;
  /** Returns milliseconds. */
  readonly now?: () => number;
}

/** Minimum milliseconds between two repaints. */
const repaintEvery = 80;
/** Milliseconds between repaints while there is no progress, so that the elapsed time advances. */
const tickEvery = 500;
/** Milliseconds between two lines without a terminal: often enough to show progress in a log. */
const lineEvery = 10_000;

/**
 * Shows the progress of a run: a live block on a terminal, or else a plain line at intervals. The terminal of a CI
 * system is a log.
 */
export function showProgress(output: Output, options: ProgressOptions): ProgressDisplay {
  const { environment } = options;
  return isLive(output, environment)
    ? liveProgress(output, options)
    : plainProgress(output, options);
}

/** True if a person looks at a terminal that can be repainted. */
export function isLive(output: Output, environment: Terminal['environment']): boolean {
  return (
    output.isTTY === true && environment.TERM !== 'dumb' && !isContinuousIntegration(environment)
  );
}

function isContinuousIntegration({ CI }: Terminal['environment']): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false';
}

function plainProgress(output: Output, { now = Date.now }: ProgressOptions): ProgressDisplay {
  const began = now();
  let shown = began;
  const tell = (line: (elapsedMs: number) => string): void => {
    if (now() - shown < lineEvery) return;
    shown = now();
    output.write(`${line(shown - began)}\n`);
  };
  return {
    update: (progress) => tell(() => inWords(progress)),
    tell,
    say: (line) => output.write(`${line}\n`),
    end: () => undefined,
  };
}

function inWords(progress: Progress): string {
  const { judged, checks, scenariosDone, scenarios, inFlight, requests, failed, round } = progress;
  return [
    ...roundInWords(round),
    `${judged} of ${checks} checks judged`,
    `${scenariosDone} of ${scenarios} scenarios done`,
    `${requests} requests, ${inFlight} in flight`,
    ...waitingInWords(progress.heldBy),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...leftInWords(progress.leftMs),
  ].join(' · ');
}

function liveProgress(
  output: Output,
  { environment, colour, now = Date.now }: ProgressOptions,
): ProgressDisplay {
  const began = now();
  const coloured = colour && wantsColour(output, environment);
  const block = new LiveBlock(output);
  let last: ((options: BlockOptions) => string[]) | undefined;
  let shown = Number.NEGATIVE_INFINITY;
  let ticking: NodeJS.Timeout | undefined;
  const paint = (): void => {
    if (last === undefined) return;
    shown = now();
    block.paint(last({ ...block.size, colour: coloured, elapsedMs: shown - began }));
  };
  // Leaves no partial line behind if the process exits at once.
  const clear = (): void => block.clear();
  const show = (lines: (options: BlockOptions) => string[]): void => {
    if (last === undefined) process.once('exit', clear);
    last = lines;
    ticking ??= setInterval(paint, tickEvery).unref();
    if (now() - shown >= repaintEvery) paint();
  };
  return {
    update: (progress) => show((options) => progressBlock(progress, options)),
    tell: (line) => show((options) => [dimmed(line(options.elapsedMs), options)]),
    say(line) {
      block.clear();
      output.write(`${wrap(line, block.size.columns).join('\n')}\n`);
      paint();
    },
    end() {
      clearInterval(ticking);
      last = undefined;
      process.off('exit', clear);
      clear();
    },
  };
}
