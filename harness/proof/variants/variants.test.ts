import { expect, test } from 'vitest';
import { loadCatalogue } from '../../kernel/core/catalogue.ts';
import { covers } from '../../kernel/core/index.ts';
import { listAt, textAt } from '../../kernel/core/json-value.ts';
import type { Seams } from '../../reference/call.ts';
import { startReference } from '../../reference/index.ts';
import type { Json } from '../../reference/json.ts';
import { defaultSeams, withDefect } from '../../reference/seams.ts';
import { bearer, get, post } from '../../reference/testing-requests.ts';
import { variants } from './index.ts';
import { unplanted } from './planted.ts';

const { checks } = loadCatalogue();

test('every variant has an id of its own, with the area first', () => {
  const ids = variants.map(({ id }) => id);
  expect(unplanted()).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z0-9-]+\.[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
});

test('every variant says in one sentence what the gateway does', () => {
  for (const { id, what } of variants) expect(what, id).toMatch(/^\S.*[^.:]\.$/);
});

test('what warns under a variant is only recommended', () => {
  for (const { id, warns = [] } of variants) {
    for (const name of warns) {
      const levels = checks.filter((check) => covers([name], check.id)).map(({ level }) => level);
      expect(new Set(levels), `${id}: ${name}`).toEqual(new Set(['SHOULD']));
    }
  }
});

test('every variant replaces a seam, has further regions, or speaks TLS', () => {
  for (const variant of variants) {
    if (variant.regions !== undefined || variant.isSecure === true) continue;
    const seams = withDefect(variant);
    const replaced = (Object.keys(defaultSeams) as (keyof Seams)[]).filter((room) => {
      const before = Object.entries(defaultSeams[room]);
      const after = Object.entries(seams[room]);
      return after.some(([name, value]) => !before.some(([n, v]) => n === name && v === value));
    });
    expect(replaced, variant.id).not.toHaveLength(0);
  }
});

test.each(variants)('$id: the gateway serves', async (variant) => {
  const gateway = await startReference({ defect: variant, tokenMs: 0, isSecure: false });
  try {
    const base = gateway.regions[0]?.baseUrl;
    const headers = bearer(gateway.keys.owner);
    expect((await get(`${base}/v1/models`, headers)).status).toBe(200);
    const body = { model: 'ts-omni', input: 'Say something.', max_output_tokens: 16 };
    const created = await post(`${base}/v1/responses`, headers, body);
    expect(created.json).toMatchObject({ object: 'response' });
    const streamed = await post(`${base}/v1/responses`, headers, { ...body, stream: true });
    expect(streamed.status).toBe(200);
    expect(streamed.text).toMatch(/response\.(completed|incomplete)/);
  } finally {
    await gateway.close();
  }
});

test.each(variants.filter(({ id }) => /reasoning-first|second-message/.test(id)))(
  '$id: an item that it adds can be referred to',
  async (variant) => {
    const gateway = await startReference({ defect: variant, tokenMs: 0, isSecure: false });
    try {
      const base = gateway.regions[0]?.baseUrl;
      const headers = bearer(gateway.keys.owner);
      const ask = (input: Json) =>
        post(`${base}/v1/responses`, headers, { model: 'ts-omni', input });
      const output = listAt((await ask('Say something.')).json, 'output');
      expect(output.length).toBeGreaterThan(1);
      for (const item of output) {
        const referred = { type: 'item_reference', id: textAt(item, 'id') };
        const next = await ask([referred, { role: 'user', content: 'Go on.' }]);
        expect(next.status, `${referred.id}`).toBe(200);
      }
    } finally {
      await gateway.close();
    }
  },
);
