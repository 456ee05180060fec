import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../core/result.ts';
import { sampleCheck, sampleChecks, sampleDocument, sampleRun } from '../../core/samples/run.ts';
import type { ExchangeView } from '../exchange-view.ts';
import { sampleBody, sampleExchange, sampleStream, sampleViews } from '../samples/exchange.ts';
import { bodyBlock, jsonMarkup } from './body.ts';
import { renderHtml } from './page.ts';

/** The report of a run, with these exchanges. */
const pageOf = (run: RunResult, ...views: ExchangeView[]): string =>
  renderHtml(run, sampleViews(run, ...views));

/** Returns the exchanges that a browser shows once they are opened. */
function exchangesOf(page: string): readonly string[] {
  const blocks = page.matchAll(
    /<script type="application\/json" id="exchange-\d+">(.*?)<\/script>/g,
  );
  return [...blocks].map(([, text = '']) => String(JSON.parse(text)));
}

/** A failed check that was judged on this exchange. */
function failedOn(exchange: string, id = 'generation/responses-stream.shape') {
  const evidence = {
    exchange,
    request: 'POST /v1/responses',
    outcome: '200',
    received: 'what came, in short',
    curl: 'curl x',
  };
  return sampleCheck(id, { state: 'fail', expected: 'this', actual: 'that', evidence });
}

describe('the report', () => {
  const page = pageOf(sampleRun(sampleChecks), sampleExchange());

  test('has the verdict, the reasons, and every check once, in short where it was not judged', () => {
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('Nonconformant');
    expect(page).toContain('1 MUST check failed.');
    const one = sampleCheck('a/b.c:d', { state: 'excluded', reason: 'r' });
    const two = pageOf(sampleRun([one, { ...one, id: 'a/b.c:e', level: 'MAY' }]));
    expect(two.split('<div class="check"')).toHaveLength(3);
    for (const { id, requirement, verdict } of sampleChecks) {
      const isBrief = ['untestable', 'not-applicable', 'excluded'].includes(verdict.state);
      const mark = isBrief ? `<span class="id">${requirement}</span>` : `id="${id}"`;
      expect(page.split(mark)).toHaveLength(2);
    }
    expect(page).toContain('add <code>keys.otherUser</code> to the target file');
  });

  test('has both halves of the exchange', () => {
    const [exchange] = exchangesOf(page);
    expect(exchange).toContain('<b>GET</b> <span>https://eu.example/v1/responses/resp_1</span>');
    expect(exchange).toContain('<dt>Authorization</dt><dd>Bearer ********</dd>');
    expect(exchange).toContain('<b class="bad">404</b> <span>Not Found</span>');
    expect(exchange).toContain('<i>"no such response"</i>');
  });

  test('loads nothing from outside, and links only to the documents that requirements cite', () => {
    expect(page).not.toMatch(/(src|action)="|<link|url\(|@import/);
    const links = [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, link]) => link ?? '');
    const outside = new Set(links.filter((link) => !link.startsWith('#')));
    expect([...outside]).toEqual([sampleDocument.link]);
    expect(page).toContain('default-src &#39;none&#39;');
  });

  test('a source that is no address of a page is no link', () => {
    const document = { ...sampleDocument, link: 'javascript:alert(1)' };
    const basis = { citations: [document], judgement: null };
    const text = renderHtml(sampleRun([sampleCheck('a/b.c', { state: 'pass' }, { basis })]));
    expect(text).not.toContain('javascript:');
    expect(text).toContain(document.text);
  });

  test('says so when an exchange was not recorded', () => {
    expect(renderHtml(sampleRun([failedOn('a#b/0')]))).toContain('The exchange was not recorded.');
  });

  test('holds an exchange once, however many checks judged it', () => {
    const both = [
      failedOn('responses/streamed#main/0'),
      failedOn('responses/streamed#main/0', 'generation/responses-stream.order'),
    ];
    const text = pageOf(sampleRun(both), sampleStream(3));
    expect(exchangesOf(text)).toHaveLength(1);
    expect(text.match(/data-exchange="exchange-0"/g)).toHaveLength(1);
    expect(text).toContain(
      'It is shown under <a class="id" href="#generation/responses-stream.shape">',
    );
    expect(text).toMatch(
      /1 other check rests on[\s\S]*<a class="id" href="#generation\/responses-stream.order">/,
    );
  });

  test('no text of an exchange ends its block, or opens a comment in it', () => {
    const body = sampleBody('</script><!--<script>');
    const view = sampleExchange({ answer: { ...answerOf(sampleExchange()), body } });
    const text = pageOf(sampleRun([failedOn(view.key)]), view);
    expect(exchangesOf(text)[0]).toContain('&lt;/script&gt;&lt;!--&lt;script&gt;');
    expect(text).not.toContain('<!--');
  });

  test('a body has marks for each check that rests on it', () => {
    const at = (id: string, place: string) => {
      const check = failedOn('responses/stored#main/1', id);
      return { ...check, verdict: { ...check.verdict, places: [place] } };
    };
    const checks = [
      at('generation/responses.one', 'error.code'),
      at('generation/responses.two', 'x'),
    ];
    const text = pageOf(sampleRun(checks), sampleExchange());
    expect(text).toMatch(/data-exchange="exchange-0" data-places="error.code"/);
    expect(text).toMatch(/data-later="exchange-0" data-places="x"/);
    const [exchange] = exchangesOf(text);
    expect(exchange).toContain('<mark data-place="error.code">');
    expect(exchange).toContain('data-place="x">Not there');
  });

  test('an event of a stream is marked, and what its last response says', () => {
    const check = failedOn('responses/streamed#main/0');
    const verdict = { ...check.verdict, places: ['events[1]', 'status'] };
    const [exchange] = exchangesOf(pageOf(sampleRun([{ ...check, verdict }]), sampleStream(3)));
    expect(exchange?.match(/<li class="wrong" data-place="events\[1\]">/g)).toHaveLength(1);
  });

  test('failures stand under their cause, with what could not be judged because of it', () => {
    const unserved = { kind: 'unserved', actual: '500' } as const;
    const broken = (id: string) => {
      const check = failedOn('storage/looked-up#main/0', id);
      return { ...check, verdict: { ...check.verdict, difference: unserved } };
    };
    const checks = [broken('storage/responses.one'), broken('storage/responses.two')];
    const text = pageOf(sampleRun(checks));
    expect(text).toContain('One cause <span class="count">2 checks</span>');
  });

  test('names the parts of a run whose exchanges it lacks', () => {
    const text = renderHtml(sampleRun(sampleChecks), new Map(), ['part-2.json', 'part-3.json']);
    expect(text).toContain('<dd>the exchanges of part-2.json, part-3.json</dd>');
  });

  test('says that a run was interrupted', () => {
    const text = renderHtml(sampleRun(sampleChecks, { interrupted: true }));
    expect(text).toContain('The run was interrupted.');
  });
});

test('known failures are marked, and stale ones named', () => {
  const knownFailures = {
    file: 'known.txt',
    entries: ['generation/responses-stream.shape', 'models/list.shape'],
    excused: ['generation/responses-stream.shape'],
    stale: ['models/list.shape'],
  };
  const passed = ['models/list.shape:chat', 'models/list.order'].map((id) =>
    sampleCheck(id, { state: 'pass' }),
  );
  const unknown = failedOn('a#b/0', 'generation/responses-stream.order');
  const checks = [failedOn('a#b/0'), unknown, ...passed];
  const text = renderHtml(sampleRun(checks, { knownFailures }));
  // Failures that are not on the list come first.
  expect(text.indexOf(`id="${unknown.id}"`)).toBeLessThan(
    text.indexOf('id="generation/responses-stream.shape"'),
  );
  expect(text.match(/known failure<\/span>/g)).toHaveLength(1);
  expect(text).toMatch(/id="generation\/responses-stream\.shape"[^>]* data-listed="excused"/);
  // The requirement is listed, and stands for its checks.
  expect(text.match(/listed, but passes<\/span>/g)).toHaveLength(1);
  expect(text).toMatch(/id="models\/list\.shape:chat"[^>]* data-listed="stale"/);
  expect(text).toMatch(/id="models\/list\.order"[^>]* data-column="models">/);
  expect(text).toContain('<li class="id">models/list.shape</li>');
  expect(text).toContain('remove them from <code>known.txt</code>');
});

describe('its size', () => {
  test('a long stream shows its beginning and its end', () => {
    const text = pageOf(sampleRun([failedOn('responses/streamed#main/0')]), sampleStream(1000));
    const [exchange = ''] = exchangesOf(text);
    expect(exchange).toContain('950 frames left out here');
    expect(exchange.match(/<span class="number">/g)).toHaveLength(50);
    expect(exchange).toContain('<span class="number">1000</span>');
  });

  test('a long stream shows what a finding is about, wherever it is', () => {
    const check = failedOn('responses/streamed#main/0');
    const verdict = { ...check.verdict, places: ['events[500]'] };
    const [exchange = ''] = exchangesOf(
      pageOf(sampleRun([{ ...check, verdict }]), sampleStream(1000)),
    );
    expect(exchange.match(/\d+ frames left out here/g)).toEqual([
      '470 frames left out here',
      '479 frames left out here',
    ]);
    expect(exchange).toContain('<span class="number">501</span>');
  });

  test('a body that is cut says so', () => {
    const body = { text: '{"a":', bytes: 99_999, shown: 5, binary: false };
    const view = sampleExchange({ answer: { ...answerOf(sampleExchange()), body } });
    const text = pageOf(sampleRun([failedOn(view.key)]), view);
    expect(exchangesOf(text)[0]).toContain('The first 5 of 99999 bytes');
  });

  test('is bounded: what has no room is named', () => {
    const many = Array.from({ length: 1500 }, (_, index) => `s#main/${index}`);
    const body = sampleBody('x'.repeat(16_000));
    const text = pageOf(
      sampleRun(many.map((key, index) => failedOn(key, `generation/responses-stream.r${index}`))),
      ...many.map((key) =>
        sampleExchange({ key, answer: { ...answerOf(sampleExchange()), body } }),
      ),
    );
    expect(text.length).toBeLessThan(20_000_000);
    expect(text).toContain('Left out to keep this file small');
  });
});

function answerOf(view: ExchangeView) {
  if (view.answer === null) throw new Error('the sample has an answer');
  return view.answer;
}

describe('JSON', () => {
  const indented = (text: string): string | undefined =>
    jsonMarkup(text)
      ?.text.replace(/<\/?[bi]>/g, '')
      .replaceAll('&quot;', '"');

  test('is indented, and every token stays as it came', () => {
    expect(indented('{"a":1.0,"a":[ ],"b":{"c":[12345678901234567890,"x: {"]}}')).toBe(
      [
        '{',
        '  "a": 1.0,',
        '  "a": [],',
        '  "b": {',
        '    "c": [',
        '      12345678901234567890,',
        '      "x: {"',
        '    ]',
        '  }',
        '}',
      ].join('\n'),
    );
  });

  const marked = (text: string, ...places: string[]): readonly string[] =>
    [...(jsonMarkup(text, places)?.text ?? '').matchAll(/<mark [^>]*>(.*?)<\/mark>/gs)].map(
      ([, part = '']) => part.replace(/<\/?[bi]>/g, '').replaceAll('&quot;', '"'),
    );

  test('is marked where a finding says that it is wrong', () => {
    const text = '{"a":{"b":1,"c":[{"d":"x"},2]},"b":3,"e":{"f":[]}}';
    expect(marked(text, 'a.b')).toEqual(['"b": 1']);
    expect(marked(text, 'b', 'a.c[1]')).toEqual(['2', '"b": 3']);
    expect(marked(text, 'a.c[0].d')).toEqual(['"d": "x"']);
    expect(marked(text, 'e')).toEqual(['"e": {\n    "f": []\n  }']);
    expect(marked(text, 'x', 'a.x', 'c', '')).toEqual([]);
    // Marks change nothing of the text.
    expect(jsonMarkup(text, ['a.b', 'e'])?.text.replace(/<\/?mark[^>]*>/g, '')).toBe(
      jsonMarkup(text)?.text,
    );
  });

  test('says what is not there and should be', () => {
    const body = { text: '{"a":1}', bytes: 7, shown: 7, binary: false };
    expect(bodyBlock(body, ['a', 'usage.total']).text).toContain('Not there: <code>usage.total<');
    expect(bodyBlock(body, ['a']).text).not.toContain('Not there');
  });

  test.each(['{"a":', 'text', '"text"', '[DONE]', `${'['.repeat(5000)}${']'.repeat(5000)}`])(
    'stays as it came where it is none to read: %.20s',
    (text) => expect(jsonMarkup(text)).toBeNull(),
  );
});
