import { type Call, type Exchange, each, type Scenario, scenario } from '../../../harness/index.ts';
import { baseline, refusedCost } from '../baselines.ts';
import { saying, spoken, type TruncatedConversation } from '../generations/conversations.ts';
import { askingBeyond } from '../generations/generation-calls.ts';
import { clientForms, costOf, type InForms, sendInForms } from './request-forms.ts';

/** Good requests at paths that the specification does not define. */
export const strayPaths = scenario(
  'requests/stray-paths',
  {
    after: { baseline: baseline['generate-content'] },
    cost: { ...refusedCost('generate-content', 2), chain: 1 },
  },
  async ({ ask }, { baseline: { baseline: control, input } }) => {
    const at = (change: (path: string) => string) =>
      ask('generate-content', {
        input,
        change: (call) => ({ ...call, path: change(call.path) }),
      });
    const [unknownAction, doubledPrefix] = await Promise.all([
      at((path) => path.replace(':generateContent', ':noSuchAction')),
      at((path) => `/v1${path}`),
    ]);
    return { control, unknownAction, doubledPrefix };
  },
);

export type Action = 'generate-content' | 'stream-generate-content' | 'count-tokens';

export const actions = ['generate-content', 'stream-generate-content', 'count-tokens'] as const;

/** An action on the alternate path; the control is the same action on the first path. */
interface Alternate {
  readonly control: Exchange;
  readonly alternate: Exchange;
}

type Generating = Exclude<Action, 'count-tokens'>;

const formsOf = {
  'generate-content': clientForms.first,
  'stream-generate-content': clientForms.second,
} as const;

/**
 * Generation on the alternate path. Its answer is truncated, and its request contains every part that the first
 * path serves, besides a last turn.
 */
const generatedThere = each(['generate-content', 'stream-generate-content'], (action: Generating) =>
  scenario(
    `requests/alternate-path/${action}`,
    {
      after: { baseline: baseline[action], spoken: spoken.generative },
      cost: costOf(formsOf[action], { requests: 1, generations: 1 }),
    },
    async (
      io,
      { baseline: { baseline: control }, spoken },
    ): Promise<Alternate & TruncatedConversation & { readonly clients: InForms }> => {
      const { ask, model, target } = io;
      const limit = target.limits.maxOutputTokens;
      const said = saying(io.longTexts, 'generative', spoken, askingBeyond(limit, io));
      const change = (call: Call) => ({
        ...onAlternatePath(call),
        body: { ...Object(call.body), ...said },
      });
      const { clients, answer } = await sendInForms(io, formsOf[action], (as) =>
        ask(action, { change }, as),
      );
      return { control, alternate: answer, answer, clients, limit, spoken, model: model.id };
    },
  ),
);

/** Repeats the baseline of an action on the alternate path. */
function repeatedThere(name: string, action: Action, generations: number): Scenario<Alternate> {
  return scenario(
    `requests/alternate-path/${name}`,
    { after: { baseline: baseline[action] }, cost: { requests: 1, generations } },
    async ({ ask }, { baseline: { baseline: control, input } }) => ({
      control,
      alternate: await ask(action, { input, change: onAlternatePath }),
    }),
  );
}

/** Each action on the alternate path. */
export const alternatePath = {
  ...generatedThere,
  'count-tokens': repeatedThere('count-tokens', 'count-tokens', 0),
};

/** Short stream on the alternate path, for requests to a further region. */
export const streamThere = repeatedThere('stream', 'stream-generate-content', 1);

/** Replaces `/v1beta/models/…` with `/v1/models/…`. */
export function onAlternatePath(call: Call): Call {
  return { ...call, path: call.path.replace('/v1beta/', '/v1/') };
}
