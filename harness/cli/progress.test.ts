import { expect, test } from 'vitest';
import { showProgress } from './progress.ts';

const progress = {
  scenarios: 10,
  scenariosDone: 4,
  inFlight: 3,
  requests: 20,
  checks: 50,
  judged: 12,
  failed: 0,
};

const line = '12 of 50 checks judged · 4 of 10 scenarios done · 3 of 20 requests under way';

/** An output that keeps what it is given, and a clock that a test moves. */
function stage(terminal: { isTTY?: boolean; columns?: number }) {
  const stage = { text: '', time: 0 };
  const write = (text: string): void => {
    stage.text += text;
  };
  return { stage, display: showProgress({ write, ...terminal }, () => stage.time) };
}

test('a terminal has one live line, which is taken away at the end', () => {
  const { stage: seen, display } = stage({ isTTY: true, columns: 200 });
  display.update(progress);
  expect(seen.text).toBe(`\r\u001b[K${line}`);
  display.update({ ...progress, failed: 1 });
  expect(seen.text, 'not painted again at once').toBe(`\r\u001b[K${line}`);
  seen.time += 100;
  display.update({ ...progress, failed: 1 });
  expect(seen.text).toContain(`\r\u001b[K${line} · 1 failed`);
  display.end();
  expect(seen.text.endsWith('\r\u001b[K')).toBe(true);
});

test('a live line never wraps', () => {
  const { stage: seen, display } = stage({ isTTY: true, columns: 20 });
  display.update(progress);
  expect(seen.text.replace('\r\u001b[K', '')).toHaveLength(19);
});

test('a message stands above the live line', () => {
  const { stage: seen, display } = stage({ isTTY: true, columns: 200 });
  display.update(progress);
  display.say('Stopping.');
  expect(seen.text).toBe(`\r\u001b[K${line}\r\u001b[KStopping.\n`);
});

test('elsewhere there is a plain line now and then', () => {
  const { stage: seen, display } = stage({});
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
