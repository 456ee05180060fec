import { type Exchange, idOf, type Scenario, scenario } from '../harness/index.ts';

/** A stored response, and the word in its input that stands nowhere else. */
export interface Stored {
  readonly created: Exchange;
  readonly id: string;
  readonly secret: string;
  readonly input: string;
}

/** A stored response of its own, for a scenario that changes or removes it. */
export function storedResponse(name: string): Scenario<Stored> {
  return scenario(
    name,
    { needs: { model: { speaks: 'responses' } }, cost: { requests: 1, generations: 1 } },
    async ({ responses, word }) => {
      const secret = word();
      const input = `Write one short sentence about the name ${secret}.`;
      const created = await responses.create({ input, store: true });
      return { created, id: idOf(created), secret, input };
    },
  );
}

/**
 * A response that runs in the background, long enough to be caught while it runs.
 *
 * @param stream its events are kept; the connection is dropped after the first, the run goes on
 */
export function runningResponse(name: string, { stream }: { stream: boolean }): Scenario<Stored> {
  return scenario(
    name,
    {
      needs: {
        model: {
          speaks: 'responses',
          supports: ['background', ...(stream ? (['stream:responses'] as const) : [])],
        },
      },
      cost: { requests: 1, generations: 1 },
    },
    async ({ responses, word }) => {
      const secret = word();
      const input = `Write 400 words about the name ${secret}.`;
      const body = {
        input,
        max_output_tokens: 512,
        store: true,
        background: true,
      };
      const created = stream
        ? await responses.stream(body, { cutAfterEvents: 1 })
        : await responses.create(body);
      return { created, id: idOf(created), secret, input };
    },
  );
}
