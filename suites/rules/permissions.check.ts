import { checkEach, expect, present, type StoredOperationName } from '../../harness/index.ts';
import { expectDenied } from '../stored-operations.ts';
import { unpermitted, withoutItsModel } from './permissions.ts';

checkEach('rules/permissions.unpermitted-model-refused', (endpoint: string) => ({
  on: present(unpermitted[endpoint], endpoint),
  judge: ({ attempts, controls }) => {
    for (const attempt of attempts) expect(attempt).toBeRefused({ control: controls });
  },
}));

checkEach('rules/permissions.lookup-needs-model', (operation: StoredOperationName) => ({
  on: withoutItsModel[operation],
  judge: expectDenied,
}));
