import { expect, test } from 'vitest';
import { sampleChecks, sampleRun } from '../../core/samples/run.ts';
import { sampleClientRun, sentAgain } from '../samples/client.ts';
import { renderHtml } from './page.ts';

/** The text of a report, without its tags. */
function textOf(markup: string): string {
  return markup
    .replace(/<(style|script)>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

const page = renderHtml(sampleClientRun());

test('a retry is seen at a glance: in the table, in the check, and among all starts', () => {
  expect(page).toMatch(
    /<a class="cell fail" href="#start-client-reset-messages-0">2<span class="hidden"> generations, Messages<\/span>/,
  );
  expect(page).toMatch(
    /<a class="cell pass" href="#start-client-served-responses-0">1<span class="hidden"> generation, Responses<\/span>/,
  );
  expect(page).toContain('<details class="section" id="scenario-client/reset" open>');
  expect(page).toContain('<details class="section" id="scenario-client/served">');
  const told =
    'Messages The gateway resets the connection once it has the request. ' +
    '150 ms GET /v1/models → 200 in 3.0 ms ' +
    '200 ms POST /v1/messages → cut by the gateway, no answer in 5.0 ms ' +
    '703 ms POST /v1/messages → 200 in 100 ms generation 2 of 2 ' +
    '830 ms exit code 0; it says that the answer is complete ' +
    'Printed {&quot;text&quot;:&quot;Hello.&quot;,&quot;outcome&quot;:&quot;complete&quot;}';
  const parts = textOf(page).split(told);
  expect(parts).toHaveLength(3);
  expect(parts[0]).toContain('As the gateway saw it');
  expect(parts[1]).toContain('Every start of the client');
});

test('one that is ended, says nothing and sends nothing is told, too', () => {
  const silent = {
    ...sentAgain,
    requests: [],
    exit: null,
    endedBy: 'timeout' as const,
    printed: '',
  };
  const told = textOf(renderHtml(sampleClientRun({ conversations: [silent] })));
  expect(told).toContain('– It sent nothing. 830 ms was ended: its time was up');
  expect(told).toContain('0 generations, Messages');
});

test('what a client prints stays text', () => {
  const hostile = '<img src=x onerror="window.taken=1"></pre><script>window.taken=1</script>\u202e';
  const said = { ...sentAgain, printed: hostile, errors: hostile };
  const hostilePage = renderHtml(sampleClientRun({ conversations: [said] }));
  expect(hostilePage).not.toContain('<img');
  expect(hostilePage.match(/<script>/g)).toHaveLength(1);
});

test('links of the table lead to places that are there', () => {
  const targets = [...page.matchAll(/href="#((?:start|scenario)-[^"]+)"/g)].map(([, id]) => id);
  expect(targets.length).toBeGreaterThan(5);
  for (const id of targets) expect(page).toContain(`id="${id}"`);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a report of a gateway has the matrix, and nothing of this', () => {
  const gateway = renderHtml(sampleRun(sampleChecks));
  expect(gateway).toContain('id="matrix"');
  expect(gateway).not.toMatch(/id="(starts|conversations)"/);
  expect(page).not.toContain('id="matrix"');
});
