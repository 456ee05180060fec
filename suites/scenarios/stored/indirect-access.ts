import {
  assumeServed,
  type CallOptions,
  type Captures,
  type Exchange,
  each,
  expect,
  type Io,
  isServed,
  type Needs,
  type Scenario,
  scenario,
} from '../../../harness/index.ts';
import { limitOf } from '../baselines.ts';
import { expectNoMoreRead } from '../token-counts.ts';
import type { Subject } from './stored-responses.ts';

/** A call that takes a conversation without being a generation in it. */
export type IndirectOperation = 'compact' | 'input-tokens';

export interface IndirectRead {
  /** A word of what may not be shown; null where none is known. */
  readonly secret: string | null;
  /** With a response as the one before that may not be reached. */
  readonly through: Exchange;
  /** The same call without it. */
  readonly without: Exchange;
}

const calls: Readonly<
  Record<IndirectOperation, (io: Io, body: object, options: CallOptions) => Promise<Exchange>>
> = {
  compact: ({ responses }, body, options) => responses.compact({ ...body }, options),
  'input-tokens': ({ responses }, body, options) => responses.inputTokens({ ...body }, options),
};

const capabilities = { compact: 'compact', 'input-tokens': 'input_tokens' } as const;

const input = 'Write one short sentence.';

/** Each such call, with a response that is denied to who makes it. */
export function throughIndirectAccess(these: {
  /** Begins the names of the scenarios. */
  readonly name: string;
  readonly subject: Captures<Subject>;
  /** Who makes the call, and through which region. Default: the owner, through the first. */
  readonly as?: (io: Io) => CallOptions;
  /** What `as` takes: keys, regions, a model that the key may use. */
  readonly needs?: Needs;
}): Readonly<Record<IndirectOperation, Scenario<IndirectRead>>> {
  const { name, subject, as = () => ({}), needs = {} } = these;
  return each(['compact', 'input-tokens'], (operation) =>
    scenario(
      `${name}/${operation}`,
      {
        needs: {
          ...needs,
          model: { ...needs.model, speaks: 'responses', supports: [capabilities[operation]] },
        },
        after: { subject },
        cost: {
          requests: 2,
          chain: 1,
          generations: operation === 'compact' ? 2 : 0,
          ...limitOf(operation),
        },
      },
      async (io, { subject: { id, secret } }) => {
        const [through, without] = await Promise.all([
          calls[operation](io, { input, previous_response_id: id }, as(io)),
          calls[operation](io.lane('without'), { input }, as(io)),
        ]);
        return { secret, through, without };
      },
    ),
  );
}

/** Judges such a call: refused, or as if the response were not there. */
export function expectNotReadable({ secret, through, without }: IndirectRead): void {
  assumeServed(without);
  if (secret !== null) expect(through).toShowNoneOf([secret]);
  if (!isServed(through)) {
    expect(through).toBeRefused();
    return;
  }
  expectNoMoreRead(through, without);
}
