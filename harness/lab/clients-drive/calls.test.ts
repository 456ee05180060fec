import { expect, test } from 'vitest';
import { type Defect, startReference } from '../../reference/index.ts';
import { publishers } from '../others/gateway.ts';
import { startCalls } from './drive.ts';

/** Performs the calls of a client at a gateway, and returns those that were not served as they have to be. */
async function brokenCalls(script: string, defect?: Defect): Promise<readonly string[]> {
  const options = { names: publishers, isMock: true, tokenMs: 1 };
  const gateway = await startReference({ ...options, ...(defect && { defect }) });
  const { calls, close } = startCalls(script);
  try {
    const baseUrl = gateway.regions[0]?.baseUrl ?? '';
    const { owner, restricted } = gateway.keys;
    const odd = gateway.models.find(({ id }) => id.includes('/'))?.id ?? '';
    const said = Object.entries(await calls({ baseUrl, key: owner, restricted, odd }));
    expect(said.length).toBeGreaterThan(15);
    return said.flatMap(([call, why]) => (why === null ? [] : [`${call}: ${why}`]));
  } finally {
    close();
    await gateway.close();
  }
}

test.for(['openai.mjs', 'anthropic.mjs', 'genai.mjs'])(
  'the reference serves every call of %s',
  async (script) => {
    expect(await brokenCalls(script)).toEqual([]);
  },
);

test('a call that a gateway breaks is named', async () => {
  const silent: Defect = {
    id: 'silent',
    what: 'Its streams of Messages have no events.',
    override: () => ({ frames: { messages: async function* () {} } }),
  };
  const broken = await brokenCalls('anthropic.mjs', silent);
  expect(broken.map((said) => said.replace(/:.*/, ''))).toEqual(
    expect.arrayContaining(['raw stream', 'stream()', 'tool streamed']),
  );
});
