import { type CreationMode, check } from '../../harness/index.ts';
import { expired } from '../scenarios/points/acted.ts';
import { checkDenied, checkNotRead, judgeServed } from '../scenarios/points/judged.ts';

check.each('storage/responses.kept-by-creation-mode', (mode: CreationMode) => ({
  on: expired[mode],
  judge: (points) => judgeServed(points, `storage/responses.kept-by-creation-mode:${mode}`),
}));

checkDenied('storage/responses.gone-after-retention', ['expired']);

checkNotRead('storage/responses.expired-indirect-access-denied', 'expired');
