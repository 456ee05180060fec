import { expect, test } from 'vitest';
import type { HeaderLines } from '../core/exchange.ts';
import { sample } from '../protocols/samples/exchange.ts';
import { blockPage } from './block-page.ts';
import { transientIn } from './judged.ts';
import { refused } from './refused.ts';
import { served } from './served.ts';

const html = ['Content-Type', 'text/html; charset=UTF-8'] as const;

test.each<[string, number, HeaderLines, string]>([
  ['Cloudflare', 403, [html, ['cf-mitigated', 'challenge']], 'Just a moment...'],
  ['Cloudflare', 503, [html, ['Server', 'cloudflare']], 'Checking your browser'],
  ['Cloudflare', 429, [html], '<script src="/cdn-cgi/challenge-platform/h/b/x.js"></script>'],
  ['AWS WAF', 202, [['x-amzn-waf-action', 'challenge']], ''],
  ['AWS WAF', 403, [html], 'ERROR: The request could not be satisfied'],
  ['Imperva', 403, [html], '<iframe src="/_Incapsula_Resource?x">'],
  ['F5', 403, [html], 'The requested URL was rejected. Please consult with your administrator.'],
])('a page of %s with %i is neither served nor refused', (name, status, headers, body) => {
  const exchange = sample({ status, headers, body });
  expect(blockPage(exchange)).toBe(name);
  expect(transientIn(exchange)?.cause).toBe('locked-out');
  expect(refused(exchange)).toMatchObject({ state: 'undecided', cause: 'locked-out' });
  expect(served(exchange).state).toBe('undecided');
});

test.each<[string, number, HeaderLines, string]>([
  ['a refusal in HTML', 403, [html], '<h1>403 Forbidden</h1>'],
  [
    'an error behind such a network',
    403,
    [['server', 'cloudflare']],
    '{"error":{"message":"No."}}',
  ],
  ['a page that is served', 200, [html, ['server', 'cloudflare']], '<p>Hello'],
  ['no page', 401, [html, ['server', 'cloudflare']], '<p>Who are you?'],
])('%s is no block page', (_, status, headers, body) => {
  expect(blockPage(sample({ status, headers, body }))).toBeNull();
});
