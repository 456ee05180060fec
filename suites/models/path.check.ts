import {
  assumeServed,
  check,
  type Exchange,
  each,
  endpoints,
  expect,
  type Io,
  scenario,
  type Target,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { featuredCost, sendCarried } from '../scenarios/generations/generation-calls.ts';
import {
  type Action,
  actions,
  alternatePath,
  onAlternatePath,
} from '../scenarios/requests/alternate-paths.ts';

/** Each action on a model whose id must be encoded in a path, on both paths. */
const encodedId = each(actions, (action: Action) => ({
  v1beta: scenario(
    `models/special-id/${action}/v1beta`,
    { ...asked(action), after: { control: baseline[action] } },
    async (io, { control }) => ({
      control: control.baseline,
      encoded: await encoded(io, action, 'v1beta'),
    }),
  ),
  v1: scenario(
    `models/special-id/${action}/v1`,
    { ...asked(action), after: { control: alternatePath[action] } },
    async (io, { control }) => ({
      control: control.alternate,
      encoded: await encoded(io, action, 'v1'),
    }),
  ),
}));

function asked(action: Action) {
  return {
    needs: { model: { ...endpoints[action].model, specialId: true } },
    cost: (target: Target) =>
      action === 'count-tokens' ? { requests: 1, generations: 0 } : featuredCost(target, 1),
  };
}

async function encoded(io: Io, action: Action, family: 'v1beta' | 'v1'): Promise<Exchange> {
  const plain = () => io.ask(action, family === 'v1' ? { change: onAlternatePath } : {});
  if (action === 'count-tokens') return plain();
  const carrier = `special-id/${action}/${family}`;
  return (await sendCarried(io, 'generative', carrier, plain)).answer;
}

check.each('models/path.special-characters', (action: Action, family: 'v1beta' | 'v1') => ({
  on: encodedId[action][family],
  judge: ({ control, encoded }) => {
    assumeServed(control);
    expect(encoded).toBeServed();
  },
}));
