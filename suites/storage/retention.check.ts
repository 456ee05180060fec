import { type CreationMode, checkEach, type StoredOperationName } from '../../harness/index.ts';
import { expired } from '../scenarios/points/gone.ts';
import {
  denied,
  type IndirectOperation,
  judgeServed,
  notRead,
} from '../scenarios/points/judged.ts';

checkEach('storage/responses.kept-by-creation-mode', (mode: CreationMode) => ({
  on: expired[mode],
  judge: (points) => judgeServed(points, `storage/responses.kept-by-creation-mode:${mode}`),
}));

type AfterRetention = Exclude<StoredOperationName, 'delete'>;

checkEach('storage/responses.gone-after-retention', (operation: AfterRetention) =>
  denied(operation, {
    id: `storage/responses.gone-after-retention:${operation}`,
    reasons: ['expired'],
  }),
);

checkEach('storage/responses.expired-indirect-access-denied', (operation: IndirectOperation) =>
  notRead(operation, {
    id: `storage/responses.expired-indirect-access-denied:${operation}`,
    reasons: ['expired'],
  }),
);
