import { assumeServed, checkEach, each, endpoints, expect, scenario } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
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
    async ({ ask }, { control }) => ({
      control: control.baseline,
      encoded: await ask(action),
    }),
  ),
  v1: scenario(
    `models/special-id/${action}/v1`,
    { ...asked(action), after: { control: alternatePath[action] } },
    async ({ ask }, { control }) => ({
      control: control.alternate,
      encoded: await ask(action, { change: onAlternatePath }),
    }),
  ),
}));

function asked(action: Action) {
  return {
    needs: { model: { ...endpoints[action].model, id: /[/: ]/ } },
    cost: { requests: 1, generations: action === 'count-tokens' ? 0 : 1 },
  };
}

checkEach('models/path.special-characters', (action: Action, family: 'v1beta' | 'v1') => ({
  on: encodedId[action][family],
  judge: ({ control, encoded }) => {
    assumeServed(control);
    expect(encoded).toBeServed();
  },
}));
