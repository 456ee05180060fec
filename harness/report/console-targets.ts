import { createColors } from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import type { ConsoleOptions } from './console.ts';
import { printable } from './printable.ts';
import { allInWords, factsOf, type TargetOutcome, wordOf } from './target-outcome.ts';
import { labelled, padded, widest, wrap } from './wrap.ts';

/** The line above the report of one of several targets. */
export function renderHeading(name: string, { colour, width }: ConsoleOptions): string {
  const text = `━━ ${printable(name)} `;
  const rule = '━'.repeat(Math.max(2, Math.min(width, 120) - widest([text])));
  return `\n${createColors(colour).bold(text + rule)}\n`;
}

/** The last thing that a run of several targets prints: a line for each, and what they come to. */
export function renderTargets(
  outcomes: readonly TargetOutcome[],
  { colour, width }: ConsoleOptions,
): string {
  const colours = createColors(colour);
  const columns = Math.min(Math.max(width, 60), 120);
  const names = widest(outcomes.map(({ name }) => printable(name)));
  const words = widest(outcomes.map(wordOf));
  const lines = outcomes.flatMap((outcome) => {
    const { mark, paint } =
      looks(colours)[outcome.result === null ? outcome.word : outcome.result.verdict];
    const label = `  ${mark} ${padded(printable(outcome.name), names)}  ${wordOf(outcome).padEnd(words)}  `;
    return labelled(label, wrap(printable(factsOf(outcome)), columns - widest([label]))).map(
      (line, index) => (index === 0 ? paint(line) : line),
    );
  });
  return ['', '━'.repeat(columns), colours.bold(allInWords(outcomes)), '', ...lines, ''].join('\n');
}

function looks({ green, red, yellow, dim }: Colors) {
  return {
    conformant: { mark: '✓', paint: green },
    'known-failures': { mark: '✓', paint: green },
    nonconformant: { mark: '✗', paint: red },
    indeterminate: { mark: '?', paint: yellow },
    partial: { mark: '?', paint: yellow },
    UNREACHABLE: { mark: '✗', paint: red },
    'NOT JUDGED': { mark: '?', paint: yellow },
    SKIPPED: { mark: '-', paint: dim },
  };
}
