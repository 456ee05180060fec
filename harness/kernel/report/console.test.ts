import { describe, expect, test } from 'vitest';
import type { CheckResult, RunResult } from '../core/result.ts';
import { sampleCheck, sampleChecks, sampleRun } from '../core/samples/run.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { renderConsole } from './console.ts';
import { explain } from './explanation.ts';

function render(result: RunResult, quiet = false): string {
  return renderConsole(result, { colour: false, width: 100, quiet });
}

/** Asserts that the texts stand in this order, each after the one before. */
function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    expect(at, `"${part}" after offset ${from} of:\n${text}`).toBeGreaterThanOrEqual(0);
    from = at + part.length;
  }
}

test('suites, failures, the rest by weight, and the verdict last', () => {
  expectInOrder(render(sampleRun(sampleChecks)), [
    'Touchstone 0.1.0: staging',
    'eu https://eu.example',
    '? generation  1 passed, 1 noted, 1 inconclusive, 1 in error',
    '✗ storage     1 failed',
    '! access      1 warned, 1 untestable',
    'Failed: 1 cause, 1 check.',
    '✗ storage/responses.lookup-served  MUST',
    'Warnings (1)',
    'access/credentials.query-key-refused:chat-completions\n',
    '200 with a generated answer',
    'curl ',
    'Inconclusive (1)',
    'Errors (1)',
    'Untestable (1)',
    'Besides: 1 not applicable, 1 note on a MAY, 1 not observable',
    'NONCONFORMANT',
    '1 MUST check failed.',
    '12 requests, 1 generation in 2.5 s. Seed 42.',
    'Fix what failed, then run only that again:\n',
    '  touchstone run --target FILE storage/responses.lookup-served --seed 42\n',
  ]);
  // Checks that were left out, or do not apply, are reported only once.
  expect(render(sampleRun(sampleChecks))).not.toContain('models');
});

test('what failed is named in short, and nothing that failed is left out', () => {
  const run = 'touchstone run --target FILE';
  const typed = (...ids: string[]): string | null =>
    explain(
      sampleRun(
        ids.map((id) =>
          sampleCheck(id, { state: 'fail', expected: 'x', actual: 'y', evidence: null }),
        ),
      ),
    ).typed;
  expect(typed('a/b.c:d', 'a/b.c:e', 'a/b.f')).toBe(`${run} a/b.c a/b.f --seed 42`);
  expect(typed('a/b.c', 'a/b.d', 'a/c.e', 'b/b.f')).toBe(`${run} a/b a/c b/b --seed 42`);
  const areas = Array.from({ length: 10 }, (_, index) => `a/b${index}.c`);
  expect(typed(...areas, 'c/d.e')).toBe(`${run} a/ c/ --seed 42`);
  expect(explain(sampleRun([])).typed).toBeNull();
});

test('a failure says everything in its order', () => {
  expectInOrder(render(sampleRun(sampleChecks), true), [
    '✗ storage/responses.lookup-served  MUST\n',
    '  What storage/responses.lookup-served says holds.\n',
    '  expected  the stored response (2xx)\n',
    '  actual    404 with an error\n',
    '  exchange  GET /v1/responses/resp_1 → 404\n',
    '            {"error":{"message":"no such response"}}\n',
    '  repeat    curl -sS \'https://eu.example/v1/responses/resp_1\' -H "Authorization: Bearer $TOUCHSTONE_KEY"\n',
    '  source    STORE-5: With `store` false a lookup over HTTP is not permitted.',
    'Responses API: get a response <https://docs.example/responses/retrieve>\n',
  ]);
});

test('what came is told once when it is what is wrong', () => {
  const came = '200 with a generated answer: “Cedar.”';
  const evidence = {
    exchange: 'a#main/0',
    request: 'GET /v1/responses/resp_1',
    outcome: '200',
    received: came,
    curl: 'curl -sS',
  };
  const told = (actual: string): number =>
    render(
      sampleRun([
        sampleCheck('models/list.shape', { state: 'fail', expected: 'x', actual, evidence }),
      ]),
    ).split(came).length - 1;
  expect(told(came)).toBe(1);
  expect(told('no denial')).toBe(1);
  expect(told(`${came}, and no id`)).toBe(2);
});

test('everything is there for those who ask', () => {
  const options = { colour: false, width: 100, verbose: true };
  expectInOrder(renderConsole(sampleRun(sampleChecks), options), [
    '? generation  1 passed, 1 noted, 1 not applicable',
    '● 1 cause, 1 check',
    'Warnings (1)',
    'access/credentials.query-key-refused:chat-completions',
    'expected a refusal (4xx)',
    'Inconclusive (1)',
    'generation/messages.shape',
    'Errors (1)',
    'Untestable (1)',
    'access/owners.other-user-denied:lookup',
    'Not applicable (1)',
    'generation/compact.shape',
    'Notes (1)',
    '1 requirement cannot be observed',
  ]);
});

test('quiet leaves failures, errors and the verdict, and what the advice speaks of', () => {
  const pass = sampleCheck('models/list.shape', { state: 'pass' });
  const only = (state: string): string =>
    render(
      sampleRun([pass, ...sampleChecks.filter(({ verdict }) => verdict.state === state)]),
      true,
    );
  expect(only('untestable')).toContain('Untestable (1)');
  expect(only('inconclusive')).toContain('Inconclusive (1)');
  expect(only('warn')).toContain('Warnings (1)');
  expect(only('not-applicable')).not.toContain('Besides');

  const text = render(sampleRun(sampleChecks), true);
  expectInOrder(text, ['storage/responses.lookup-served', 'Errors (1)', 'NONCONFORMANT']);
  expect(text).not.toMatch(/Warnings|Untestable|Notes|Inconclusive \(/);
});

test('with --strict a broken SHOULD is told in full', () => {
  const warned = sampleChecks.filter(({ verdict }) => ['pass', 'warn'].includes(verdict.state));
  expect(render(sampleRun(warned))).toContain('Warnings (1)');
  const strict = render(sampleRun(warned, { strict: true }));
  expect(strict).not.toContain('Warnings');
  expectInOrder(strict, [
    '✗ access/credentials.query-key-refused:chat-completions  SHOULD',
    'expected',
    'NONCONFORMANT',
    '1 SHOULD check failed (strict mode).',
  ]);
});

test('results with one reason are told together', () => {
  const reason = 'add a second region under `regions` of the target file: it names 1';
  const checks = ['a', 'b', 'c', 'd', 'e', 'f'].map((value) =>
    sampleCheck(`access/regions.other-region-denied:${value}`, {
      state: 'untestable',
      reason,
      gap: { kind: 'key', names: ['otherUser'] },
    }),
  );
  const text = render(sampleRun([sampleCheck('models/list.shape', { state: 'pass' }), ...checks]));
  expect(text.match(/add a second region/g)).toHaveLength(1);
  expectInOrder(text, [
    'Untestable (6)',
    '     6  add a second region',
    'PARTIAL',
    'of 7 MUSTs, 6 are untestable',
  ]);
});

describe('the verdict says why, and what next', () => {
  const pass = sampleCheck('models/list.shape', { state: 'pass' });
  const with_ = (verdict: CheckVerdict): RunResult =>
    sampleRun([pass, sampleCheck('generation/responses.shape', verdict)]);
  test.each([
    [sampleRun([pass]), 'CONFORMANT', 'Every requirement that applies holds: 1 of 1 MUST passed.'],
    [
      with_({ state: 'not-applicable', reason: 'r' }),
      'CONFORMANT',
      '1 of 2 MUSTs passed, 1 not applicable.',
    ],
    [
      with_({ state: 'inconclusive', cause: 'prerequisite', reason: 'r', evidence: null }),
      'INDETERMINATE',
      'Nothing failed, but not enough could be judged: 1 MUST inconclusive.',
    ],
    [
      with_({ state: 'inconclusive', cause: 'control', reason: 'a rate limit', evidence: null }),
      'INDETERMINATE',
      'touchstone doctor checks the target file',
    ],
    [
      with_({ state: 'inconclusive', cause: 'rate-limit', reason: 'a rate limit', evidence: null }),
      'INDETERMINATE',
      'The gateway limits the rate: run again with a lower --rps',
    ],
    [with_({ state: 'error', reason: 'r' }), 'INDETERMINATE', 'report the rest'],
    [with_({ state: 'excluded', reason: 'r' }), 'PARTIAL', 'of 2 MUSTs, 1 is excluded.'],
    [sampleRun([]), 'INDETERMINATE', 'No check was judged.'],
    [sampleRun([pass], { interrupted: true }), 'CONFORMANT', 'The run was interrupted.'],
  ])('%#', (result, verdict, why) => {
    expectInOrder(render(result), [`  ${verdict}  `, why]);
  });
});

test('every MUST of a cause is named, and a heading has the sum of its list', () => {
  const evidence = {
    ...{ exchange: 's#main/0', operation: 'lookup', served: false, request: 'GET /r' },
    ...{ answer: { status: 500, kind: 'error' }, outcome: '500', received: '500', curl: 'curl x' },
  };
  const broken = (id: string, state: 'fail' | 'warn'): CheckResult => {
    const difference = { kind: 'unserved', actual: '500' } as const;
    return sampleCheck(id, { state, expected: '2xx', actual: '500', evidence, difference });
  };
  const verdict: CheckVerdict = { state: 'inconclusive', cause: 'control', reason: 'r', evidence };
  const all = [broken('a/b.should', 'warn'), sampleCheck('c/d.e', verdict)];
  const musts = ['a/b.two', 'a/b.three', 'a/b.four', 'a/b.five'].map((id) => broken(id, 'fail'));
  const text = render(sampleRun([...all, ...musts]));
  expect(text).toContain('✗ a/b.two  MUST');
  expect(text.replace(/\s+/g, ' ')).toContain(
    '4 more fail because of it, 3 MUSTs among them: a/b.three, a/b.four, a/b.five and 1 more',
  );
  const warned = render(sampleRun(all));
  expect(warned).toMatch(/Warnings \(1\).*a\/b\.should\n.*GET \/r → 500\n +curl x/s);
  expect(warned).not.toMatch(/^ +2 /m);
});
