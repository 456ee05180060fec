import { checkEach, expect, mustBeServed } from '../../harness/index.ts';
import type { Action } from '../generative/paths.ts';
import { encodedId } from './special-ids.ts';

checkEach('models/path.special-characters', (action: Action, family: 'v1beta' | 'v1') => ({
  on: encodedId[action][family],
  judge: ({ control, encoded }) => {
    mustBeServed(control);
    expect(encoded).toBeServed();
  },
}));
