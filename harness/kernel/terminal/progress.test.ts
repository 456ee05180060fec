import { describe, expect, test } from 'vitest';
import { leftInWords, waitingInWords } from '../report/words.ts';
import { showProgress } from './progress.ts';
import { progressBlock } from './progress-block.ts';

const progress = {
  scenarios: 10,
  scenariosDone: 4,
  inFlight: 3,
  requests: 20,
  checks: 50,
  judged: 12,
  failed: 0,
  suites: [
    { suite: 'responses', checks: 40, judged: 2, failed: 0, undecided: 0 },
    { suite: 'rules', checks: 10, judged: 10, failed: 0, undecided: 0 },
  ],
};
const failed = {
  ...progress,
  failed: 1,
  suites: [{ suite: 'responses', checks: 40, judged: 20, failed: 1, undecided: 2 }],
};

interface Stage {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Record<string, string>;
}

/** An output that keeps what it is given, and a clock that a test moves. */
function stage({ environment = {}, ...terminal }: Stage) {
  const stage = { text: '', time: 0 };
  const write = (text: string): void => {
    stage.text += text;
  };
  const options = { environment, colour: false, now: () => stage.time };
  return { stage, display: showProgress({ write, ...terminal }, options) };
}

/** Emulates a terminal and returns its screen. It knows the few sequences that progress uses. */
function screen(text: string): string[] {
  const lines = [''];
  let row = 0;
  let column = 0;
  for (const [piece] of text.matchAll(/\p{Cc}\[\d*[A-Z]|\r|\n|\P{Cc}+/gu)) {
    const line = lines[row] ?? '';
    if (piece === '\r') column = 0;
    else if (piece === '\n') {
      column = 0;
      if (++row === lines.length) lines.push('');
    } else if (piece.endsWith('A')) {
      row -= Number(piece.slice(2, -1));
    } else if (piece.startsWith('\u001b')) {
      lines[row] = line.slice(0, column);
      if (piece.endsWith('J')) lines.length = row + 1;
    } else {
      lines[row] = line.slice(0, column) + piece + line.slice(column + piece.length);
      column += piece.length;
    }
  }
  return lines;
}

describe('on a terminal', () => {
  const terminal = { isTTY: true, columns: 80, rows: 24 };

  test('says what the gateway keeps a run waiting for, and not what our own limits do', () => {
    expect(waitingInWords('lockout')).toEqual(['waiting: a lockout']);
    expect(waitingInWords('concurrency')).toEqual([]);
    expect(waitingInWords()).toEqual([]);
  });

  test('says how long the rest takes at most, where that can be told and is worth it', () => {
    expect(leftInWords(41_000)).toEqual(['at most 45 s left']);
    expect(leftInWords(200_000)).toEqual(['at most 4 min left']);
    expect([leftInWords(4_000), leftInWords(null), leftInWords()]).toEqual([[], [], []]);
    const { stage: seen, display } = stage(terminal);
    display.update({ ...progress, leftMs: 41_000 });
    expect(seen.text).toContain('12 of 50 checks · 20 requests · 0 s · at most 45 s left');
  });

  test('a line for each suite and one for the whole are painted over one another', () => {
    const { stage: seen, display } = stage(terminal);
    display.update(progress);
    expect(screen(seen.text)).toEqual([
      '› responses  ━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌   2/40',
      '✓ rules      ━━━━━━━━━━━━━━━━━━━━━━━━  10/10',
      '12 of 50 checks · 20 requests · 3 in flight · 0 s',
    ]);
    display.update(failed);
    expect(seen.text, 'not painted again at once').not.toContain('failed');
    seen.time = 1000;
    display.update(failed);
    expect(screen(seen.text)).toEqual([
      '✗ responses  ━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌  20/40  1 failed  2 inconclusive',
      '12 of 50 checks · 1 failed · 20 requests · 3 in flight · 1 s',
    ]);
    display.end();
    expect(screen(seen.text)).toEqual(['']);
  });

  test('a suite is not well when nothing of it could be decided', () => {
    const suites = [{ suite: 'rules', checks: 10, judged: 10, failed: 0, undecided: 10 }];
    const options = { colour: false, columns: 80, rows: 24, elapsedMs: 0 };
    expect(progressBlock({ ...progress, suites }, options)[0]).toMatch(
      /^\? rules .*10 inconclusive$/,
    );
  });

  test('a message stands above it', () => {
    const { stage: seen, display } = stage(terminal);
    display.update(failed);
    display.say('Stopping.');
    expect(screen(seen.text)).toEqual([
      'Stopping.',
      expect.stringContaining('✗ responses'),
      expect.stringContaining('12 of 50'),
    ]);
    display.end();
    expect(screen(seen.text)).toEqual(['Stopping.', '']);
  });

  test.each([
    [20, 24],
    [80, 4],
  ])('of %i columns and %i rows it neither wraps nor runs over', (columns, rows) => {
    const lines = progressBlock(progress, { colour: false, columns, rows, elapsedMs: 0 });
    expect(lines.length).toBeLessThan(rows);
    for (const line of lines) expect(line.length).toBeLessThan(columns);
  });

  test('colours are used when they are wanted', () => {
    const options = { columns: 80, rows: 24, elapsedMs: 0 };
    expect(progressBlock(failed, { ...options, colour: true }).join()).toContain('\u001b[31m');
    expect(progressBlock(failed, { ...options, colour: false }).join()).not.toContain('\u001b');
  });
});

const line = '12 of 50 checks judged · 4 of 10 scenarios done · 20 requests, 3 in flight';

test.each<[string, Stage]>([
  ['elsewhere', {}],
  ['in CI, terminal or not,', { isTTY: true, environment: { CI: 'true' } }],
  ['on a dumb terminal', { isTTY: true, environment: { TERM: 'dumb' } }],
])('%s there is a plain line now and then', (_, terminal) => {
  const { stage: seen, display } = stage(terminal);
  display.update(progress);
  seen.time = 9_000;
  display.update(progress);
  expect(seen.text).toBe('');
  seen.time = 11_000;
  display.update(progress);
  display.update(progress);
  display.end();
  expect(seen.text).toBe(`${line}\n`);
});
