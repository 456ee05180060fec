import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { fixture } from '../../../kernel/core/package-root.ts';
import { pageOf } from '../../../kernel/report/document/page.ts';
import { printed } from '../../../kernel/report/document/terminal.ts';
import { sampleExchange } from '../../../kernel/report/samples/exchange.ts';
import { explorationDocument } from './document.ts';
import { renderExplorationJson } from './json.ts';
import { hostileExploration, sampleExploration } from './samples/exploration.ts';

const plain = { colour: false, width: 80 };

test('a find is read at 80 columns: who did what, what came, and what has to be', () => {
  const text = printed(explorationDocument(sampleExploration()), plain);
  expect(text).toContain(
    [
      '✗ lookup that has to be denied',
      '  row       storage/deletion.denies-afterwards:lookup: What is deleted is gone.',
      '  source    STORE-11: A deleted response can no longer be looked up.',
      '  expected  denied',
      '  came      an answer that shows stored content',
      '  seen in   3 of 40 histories: 7.5 %, at 95 % between 1.5 % and 21 %',
      '  again in  each of 4 further tries of this history',
      '  found in  History 3; 5 of its 24 acts show it',
      '',
      '    #   key        region  act                        came          has to be',
      '    1   owner      eu      create with m-1,           served, 200   served',
      '                           background-stream, stored',
      '    2a  owner      eu      delete of 1, by path       served, 200   served',
      '    2b  otherUser  eu      lookup of 1, by path       refused, 404  denied',
    ].join('\n'),
  );
  expect(text).toContain(
    '  ✗ 3   owner      us      lookup of 1, by stream     served, 200   denied',
  );
  expect(text).toContain('#!/bin/sh\ncurl x\n');
  expect(text).toMatch(/\n1 MUST is broken\.\n40 histories, 900 acts, 2 of them undecided; /);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  const short = printed(explorationDocument(sampleExploration(), { withoutScripts: true }), plain);
  expect(short).not.toContain('#!/bin/sh');
});

test('it says what is not known', () => {
  const nothing = sampleExploration({ verdict: 'undecided', finds: [], decided: 0 });
  const said = (exploration = nothing) => printed(explorationDocument(exploration), plain);
  expect(said()).toContain('Nothing was found; no history was decided in every act.');
  expect(said({ ...nothing, incomplete: 'it was interrupted' })).toContain(
    'Nothing was found; it was interrupted.',
  );
  const none = said({ ...nothing, histories: 0, durationMs: null });
  expect(none).toContain('within its bounds no history was performed: allow more');
  expect(none).toContain('generations. Seed');
});

describe('its JSON', () => {
  const schema: object = JSON.parse(readFileSync(fixture('exploration.schema.json'), 'utf8'));
  const validate: ValidateFunction = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    formats: { 'date-time': true },
  }).compile(schema);

  test('is as the published schema says', () => {
    for (const exploration of [sampleExploration(), hostileExploration()]) {
      const value: unknown = JSON.parse(renderExplorationJson(exploration));
      expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ ...Object(value), version: 2 })).toBe(false);
      expect(validate({ ...Object(value), finds: [{}] })).toBe(false);
    }
  });
});

describe('its page', () => {
  const exchanges = new Map([['s#5/0', sampleExchange()]]);
  const page = pageOf(explorationDocument(sampleExploration(), { exchanges }));

  test('has the find, its acts, its exchanges and what repeats it', () => {
    for (const part of [
      'lookup that has to be denied',
      '<a href="#clause-STORE-11">STORE-11</a>: A deleted response can no longer be looked up.',
      '<div id="clause-STORE-11">',
      'storage/deletion.denies-afterwards:lookup',
      '3 of 40 histories',
      'GET</b> <span>https://eu.example/v1/responses/resp_1',
      '2c was not sent',
      'curl x',
    ]) {
      expect(page).toContain(part);
    }
  });

  test('draws what was sent in the order of time, what is side by side in a frame', () => {
    const [, drawing = ''] = /<svg class="sequence"(.*?)<\/svg>/s.exec(page) ?? [];
    const names = [...drawing.matchAll(/class="name"[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(names).toEqual(['owner', 'otherUser', 'eu', 'us']);
    const labels = [...drawing.matchAll(/class="label[^"]*"[^>]*>([^<]*)</g)].map(([, one]) => one);
    expect(labels).toEqual([
      '1 create with m-1, background-stream, stored',
      '1 served, 200',
      '2a delete of 1, by path',
      '2b lookup of 1, by path',
      '2b refused, 404',
      '2a served, 200',
      '3 lookup of 1, by stream',
      '✗ 3 served, 200 – has to be denied (STORE-11)',
    ]);
    expect(drawing.match(/>side by side</g)).toHaveLength(1);
    expect(drawing).toContain('aria-labelledby="find-1-title find-1-desc"');
    // Nothing is drawn outside of the picture.
    const [, height = ''] = /viewBox="0 0 960 (\d+)"/.exec(drawing) ?? [];
    for (const [, y = ''] of drawing.matchAll(/ y1?="([\d.]+)"/g)) {
      expect(Number(y)).toBeLessThan(Number(height));
    }
  });

  test('runs no script, loads nothing, and lets no text become a part of it', () => {
    const hostile = pageOf(explorationDocument(hostileExploration(), { exchanges }));
    for (const text of [page, hostile]) {
      expect(text).toContain('default-src &#39;none&#39;');
      expect(text).not.toMatch(
        /<script|script-src|(src|action)="|<link|url\(|@import|<img|javascript:/,
      );
      const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, link]) => link ?? '');
      expect(links.filter((link) => !link.startsWith('#'))).toEqual([]);
      const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});
