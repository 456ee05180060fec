import { expect, test } from 'vitest';
import { referenceTarget } from './reference.ts';
import { findModel } from './roles.ts';

test('the embedded reference is a target that lacks nothing', async () => {
  const { target, requestCount, close } = await referenceTarget();
  try {
    expect(target.regions.map(({ name }) => name)).toEqual(['eu', 'us']);
    expect(Object.keys(target.keys)).toEqual(['owner', 'sameUser', 'otherUser', 'restricted']);
    expect(target.probes.ledger).toHaveLength(2);
    for (const role of [
      { supports: ['background', 'stream:responses'] },
      { lacks: ['stream:generative'] },
      { speaks: 'systemone', notSpeaks: 'messages' },
      { permittedFor: 'restricted' },
      { notPermittedFor: 'restricted' },
      { id: /[/: ]/ },
    ] as const) {
      expect(findModel(target, role), JSON.stringify(role)).toMatchObject({ kind: 'found' });
    }
    const response = await fetch(`${target.regions[1]?.baseUrl}/v1/models`, {
      headers: { authorization: `Bearer ${target.keys.owner}` },
    });
    expect(response.status).toBe(200);
    expect(requestCount()).toBe(1);
  } finally {
    await close();
  }
});

test('it is described under the names that it was started with', async () => {
  const names = { vendorA: 'acme', vendorB: 'globex' };
  const { target, close } = await referenceTarget({ names, regions: ['only'], retentionDays: 7 });
  await close();
  expect(target).toMatchObject({ names, retentionDays: 7, regions: [{ name: 'only' }] });
});
