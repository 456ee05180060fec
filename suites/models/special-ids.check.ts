import { assumeServed, checkEach, expect } from '../../harness/index.ts';
import type { Action } from '../scenarios/alternate-paths.ts';
import { encodedId } from './special-ids.ts';

checkEach('models/path.special-characters', (action: Action, family: 'v1beta' | 'v1') => ({
  on: encodedId[action][family],
  judge: ({ control, encoded }) => {
    assumeServed(control);
    expect(encoded).toBeServed();
  },
}));
