import type { Progress } from '../engine/progress.ts';
import { waitingInWords } from '../report/words.ts';
import { progressBlock } from './progress-block.ts';
import { type Output, type Terminal, wantsColour } from './terminal.ts';

export interface ProgressDisplay {
  update(progress: Progress): void;
  /** Shows a line of its own, above what is live. */
  say(line: string): void;
  /** Takes away what is live. */
  end(): void;
}

export interface ProgressOptions {
  readonly environment: Terminal['environment'];
  /** `--no-color` was not given. */
  readonly colour: boolean;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** Between two repaints, in milliseconds. */
const repaintEvery = 80;
/** While nothing happens, the time goes on. */
const tickEvery = 500;
/** Between two lines where there is no terminal: enough to see in a log that the run goes on. */
const lineEvery = 10_000;

/**
 * Shows how a run goes on: a live block on a terminal, a plain line now and then elsewhere. What a CI
 * system calls a terminal is a log.
 */
export function showProgress(output: Output, options: ProgressOptions): ProgressDisplay {
  const { environment } = options;
  const live =
    output.isTTY === true && environment.TERM !== 'dumb' && !isContinuousIntegration(environment);
  return live ? liveProgress(output, options) : plainProgress(output, options);
}

/** Whether the command runs where nobody looks on. */
export function isContinuousIntegration({ CI }: Terminal['environment']): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false';
}

function plainProgress(output: Output, { now = Date.now }: ProgressOptions): ProgressDisplay {
  let shown = now();
  return {
    update(progress) {
      if (now() - shown < lineEvery) return;
      shown = now();
      output.write(`${inWords(progress)}\n`);
    },
    say: (line) => output.write(`${line}\n`),
    end: () => undefined,
  };
}

function inWords(progress: Progress): string {
  const { judged, checks, scenariosDone, scenarios, inFlight, requests, failed, heldBy } = progress;
  return [
    `${judged} of ${checks} checks judged`,
    `${scenariosDone} of ${scenarios} scenarios done`,
    `${requests} requests, ${inFlight} in flight`,
    ...waitingInWords(heldBy),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(' · ');
}

function liveProgress(
  output: Output,
  { environment, colour, now = Date.now }: ProgressOptions,
): ProgressDisplay {
  const began = now();
  const coloured = colour && wantsColour(output, environment);
  let last: Progress | undefined;
  let shown = Number.NEGATIVE_INFINITY;
  let height = 0;
  let ticking: NodeJS.Timeout | undefined;
  const paint = (): void => {
    if (last === undefined) return;
    shown = now();
    const lines = progressBlock(last, {
      colour: coloured,
      // Some terminals say that they have no columns.
      columns: output.columns || 80,
      rows: output.rows || 24,
      elapsedMs: shown - began,
    });
    output.write(`${home(height)}${lines.map((line) => `${line}\u001b[K`).join('\n')}\u001b[J`);
    height = lines.length;
  };
  const clear = (): void => {
    if (height > 0) output.write(`${home(height)}\u001b[J`);
    height = 0;
  };
  return {
    update(progress) {
      last = progress;
      ticking ??= setInterval(paint, tickEvery).unref();
      if (now() - shown >= repaintEvery) paint();
    },
    say(line) {
      clear();
      output.write(`${line}\n`);
      paint();
    },
    end() {
      clearInterval(ticking);
      last = undefined;
      clear();
    },
  };
}

/** To the first column of the first of so many lines, the cursor being on the last. */
function home(lines: number): string {
  return lines > 1 ? `\r\u001b[${lines - 1}A` : '\r';
}
