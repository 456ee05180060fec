import {
  check,
  checkEach,
  type Exchange,
  errorBody,
  expect,
  expectValue,
  Inconclusive,
  inputTokens,
  isRefused,
  isServed,
  mustBeServed,
  outcome,
  present,
  type StoredOperationName,
  tokenCount,
} from '../../harness/index.ts';
import { expectDenied } from '../stored-operations.ts';
import { askedByOtherUser, byOtherUser, bySecondKey, throughSideDoor } from './owners.ts';

checkEach('rules/owners.other-user-denied', (operation: StoredOperationName) => ({
  on: byOtherUser[operation],
  judge: expectDenied,
}));

checkEach('rules/owners.same-user-served', (operation: StoredOperationName) => ({
  on: bySecondKey[operation],
  judge: ({ attempt, controls, owner }) => {
    mustBeServed([...controls, present(owner, 'lookup by the owner').before]);
    expect(attempt).toBeServed();
  },
}));

checkEach('rules/owners.no-side-door', (door: 'compact' | 'input-tokens') => ({
  on: throughSideDoor[door],
  judge: ({ secret, through, without }) => {
    mustBeServed(without);
    expect(through).toShowNoneOf([secret]);
    if (!isServed(through)) {
      expect(through).toBeRefused();
      return;
    }
    const [read, own] = [countedInput(through), countedInput(without)];
    if (read === null || own === null) return;
    expectValue(read, { as: 'counted input tokens', of: through }).toBeAtMost(own);
  },
}));

check('rules/owners.denial-like-unknown', askedByOtherUser, (asked) => {
  for (const { operation, owners, unknown } of asked) {
    mustBeRefused(owners);
    mustBeRefused(unknown);
    const as = `the denial of a ${operation}`;
    expectValue(denial(owners), { as, of: owners }).toEqual(denial(unknown));
  }
});

function countedInput(exchange: Exchange): number | null {
  return tokenCount(exchange) ?? inputTokens(exchange);
}

function denial(exchange: Exchange): object {
  return { status: exchange.response?.status, code: errorBody(exchange)?.code ?? null };
}

/** What is not denied at all is judged elsewhere. */
function mustBeRefused(exchange: Exchange): void {
  if (isRefused(exchange)) return;
  throw new Inconclusive(`not denied, but ${outcome(exchange)}`, exchange);
}
