import type { Progress } from '../check/order.ts';
import type { Output } from './terminal.ts';

export interface ProgressDisplay {
  update(progress: Progress): void;
  /** Shows a line of its own, above the live one. */
  say(line: string): void;
  /** Takes the live line away. */
  end(): void;
}

/** Between two repaints of the live line, in milliseconds. */
const repaintEvery = 80;
/** Between two lines where there is no terminal: enough to see in a log that the run goes on. */
const lineEvery = 10_000;

/** Shows how a run goes on: one live line on a terminal, a plain line now and then elsewhere. */
export function showProgress(output: Output, now: () => number = Date.now): ProgressDisplay {
  const live = output.isTTY === true;
  let shown = live ? Number.NEGATIVE_INFINITY : now();
  let painted = false;
  const clear = (): void => {
    if (painted) output.write('\r\u001b[K');
    painted = false;
  };
  return {
    update(progress) {
      if (now() - shown < (live ? repaintEvery : lineEvery)) return;
      shown = now();
      const line = inWords(progress);
      if (!live) {
        output.write(`${line}\n`);
        return;
      }
      output.write(`\r\u001b[K${line.slice(0, (output.columns || 80) - 1)}`);
      painted = true;
    },
    say(line) {
      clear();
      output.write(`${line}\n`);
    },
    end: clear,
  };
}

function inWords(progress: Progress): string {
  const { judged, checks, scenariosDone, scenarios, inFlight, requests, failed } = progress;
  return [
    `${judged} of ${checks} checks judged`,
    `${scenariosDone} of ${scenarios} scenarios done`,
    `${inFlight} of ${requests} requests under way`,
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(' · ');
}
