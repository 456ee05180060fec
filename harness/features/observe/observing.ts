import { createColors } from 'picocolors';
import { counted, padded, printable, shortened, widest } from '../../kernel/report/index.ts';
import {
  isLive,
  LiveBlock,
  type Output,
  type ProgressDisplay,
  type Terminal,
  wantsColour,
} from '../../kernel/terminal/index.ts';
import type { ObservationProgress, Wrong } from './observation.ts';

export interface Observing extends ObservationProgress {
  /** Requests to paths outside of the interface. */
  readonly others: number;
  readonly underWay: number;
}

interface ObservingDisplay extends Pick<ProgressDisplay, 'say' | 'end'> {
  update(now: Observing): void;
}

/** Shows observed exchanges: in a live block, or else a line for each check when it breaks. */
export function showObserving(
  output: Output,
  { environment, colour }: { environment: Terminal['environment']; colour: boolean },
): ObservingDisplay {
  return isLive(output, environment)
    ? live(output, colour && wantsColour(output, environment))
    : plain(output);
}

function plain(output: Output): ObservingDisplay {
  const told = new Set<string>();
  return {
    update({ wrong }) {
      for (const { id, level, actual, exchange } of wrong) {
        if (told.has(id)) continue;
        told.add(id);
        output.write(`${level} ${id} (${exchange}): ${printable(actual).slice(0, 200)}\n`);
      }
    },
    say: (line) => output.write(`${line}\n`),
    end: () => undefined,
  };
}

function live(output: Output, colour: boolean): ObservingDisplay {
  const block = new LiveBlock(output);
  const began = Date.now();
  let last: Observing | undefined;
  const paint = (): void => {
    if (last === undefined) return;
    const elapsedMs = Date.now() - began;
    block.paint(observingBlock(last, { ...block.size, colour, elapsedMs }));
  };
  return {
    update(now) {
      last = now;
      paint();
    },
    say(line) {
      block.clear();
      output.write(`${line}\n`);
      paint();
    },
    end() {
      last = undefined;
      block.clear();
    },
  };
}

interface BlockOptions {
  readonly colour: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly elapsedMs: number;
}

/** Formats operations, violations and counts in lines that fit the terminal. */
export function observingBlock(
  { operations, others, wrong, requests, generations, underWay }: Observing,
  { colour, columns, rows, elapsedMs }: BlockOptions,
): string[] {
  const colours = createColors(colour);
  const fitted = (line: string): string => {
    const indent = line.length - line.trimStart().length;
    return ' '.repeat(indent) + shortened(printable(line.trimStart()), columns - 1 - indent);
  };
  const width = widest([...operations.keys(), 'other paths']);
  const came = [...operations].map(([operation, outcomes]) => {
    const all = [...outcomes.values()].reduce((sum, one) => sum + one, 0);
    const words = [...outcomes].map(
      ([outcome, count]) => `${outcome}${count > 1 ? ` ×${count}` : ''}`,
    );
    return fitted(`  ${padded(operation, width)} ${String(all).padStart(6)}   ${words.join(', ')}`);
  });
  if (others > 0)
    came.push(fitted(`  ${padded('other paths', width)} ${String(others).padStart(6)}`));
  const whole = fitted(
    [
      counted(requests + others, 'request'),
      counted(generations, 'generation'),
      `${underWay} under way`,
      wrong.length === 0 ? 'nothing wrong' : `${counted(wrong.length, 'check')} broken`,
      `${Math.floor(elapsedMs / 1000)} s`,
    ].join(' · '),
  );
  // Violations take precedence if space is short: a block higher than the screen cannot be repainted.
  const room = Math.max(2, rows - 3);
  const broken = wrong
    .flatMap((one) => wrongLines(one).map(fitted))
    .slice(0, Math.max(2, room - Math.min(came.length, 4)))
    .map((line, index) => (index % 2 === 0 ? colours.red(line) : colours.dim(line)));
  return [...came.slice(0, Math.max(0, room - broken.length)), ...broken, colours.dim(whole)];
}

function wrongLines({ id, level, exchanges, actual, exchange }: Wrong): readonly [string, string] {
  return [
    `✗ ${level} ${id}, in ${counted(exchanges, 'exchange')}`,
    `    ${exchange}: ${actual.replace(/\s+/g, ' ')}`,
  ];
}
