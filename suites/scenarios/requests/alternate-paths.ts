import { type Call, each, scenario } from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';

/** Good requests at paths that the specification does not have. */
export const strayPaths = scenario(
  'requests/stray-paths',
  {
    after: { baseline: baseline['generate-content'] },
    cost: { requests: 2, generations: 1, chain: 1 },
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

/** Each action on the alternate path; its control is the same on the first path. */
export const alternatePath = each(actions, (action: Action) =>
  scenario(
    `requests/alternate-path/${action}`,
    {
      after: { baseline: baseline[action] },
      cost: { requests: 1, generations: action === 'count-tokens' ? 0 : 1 },
    },
    async ({ ask }, { baseline: { baseline: control, input } }) => ({
      control,
      alternate: await ask(action, { input, change: onAlternatePath }),
    }),
  ),
);

/** `/v1/models/…` in place of `/v1beta/models/…`. */
export function onAlternatePath(call: Call): Call {
  return { ...call, path: call.path.replace('/v1beta/', '/v1/') };
}
