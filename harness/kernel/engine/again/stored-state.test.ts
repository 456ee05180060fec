import { expect, test } from 'vitest';
import { deleteCall } from '../../protocols/responses/client.ts';
import { actOf } from './stored-state.ts';

test.each([
  [undefined, true],
  ['own', true],
  // Names of headers and schemes have no case.
  ['own-lower-case', true],
  ['bearer', false],
  ['query-key', false],
] as const)('a credential placed as %s is shown where it belongs: %s', (placement, plain) => {
  expect(actOf(deleteCall('resp_1'), placement === undefined ? {} : { placement })).toMatchObject({
    id: 'resp_1',
    plain,
  });
});
