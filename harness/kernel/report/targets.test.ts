import { expect, test } from 'vitest';
import { sampleRun } from '../core/samples/run.ts';
import { printed } from './document/terminal.ts';
import { renderGithubOfTargets } from './github.ts';
import { renderMarkdownOfTargets } from './markdown.ts';
import { type TargetOutcome, targetsDocument } from './target-outcome.ts';

const outcomes: readonly TargetOutcome[] = [
  { name: 'staging', result: sampleRun([]) },
  { name: 'edge\u001b[2J', result: null, word: 'UNREACHABLE', why: 'nobody listens\nCheck it.' },
];

test('on a terminal each target has a line, in which nothing obeys', () => {
  const text = printed(targetsDocument(outcomes), { colour: false, width: 80 });
  const [line] = text.split('\n').filter((one) => one.includes('edge'));
  expect(text).toContain('2 targets, ');
  expect(text).toContain('? staging');
  expect(line).toMatch(/✗ edge\\x1b\[2J {2}UNREACHABLE {2,}nobody listens$/);
  expect(text).not.toContain('\u001b');
});

test('in Markdown there is a row for each, and a report of those that were judged', () => {
  const text = renderMarkdownOfTargets(outcomes);
  expect(text).toContain('| ? staging | INDETERMINATE |');
  expect(text).toContain('| UNREACHABLE | nobody listens |');
  expect(text.match(/^# /gm)).toHaveLength(2);
});

test('annotations name their target', () => {
  const text = renderGithubOfTargets(outcomes);
  expect(text).toContain('::error title=Touchstone%3A INDETERMINATE at staging::');
  expect(text).toContain('Touchstone%3A UNREACHABLE at edge');
  expect(text).toContain('nobody listens%0ACheck it.');
  expect(text.trimEnd().split('\n')).toHaveLength(2);
});
