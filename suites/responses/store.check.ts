import { check, expect } from '../../harness/index.ts';
import { lookedUp } from './scenarios.ts';

check('responses/store.lookup-served', lookedUp, ({ lookup }) => {
  expect(lookup).toBeServed();
});

check('responses/store.lookup-equals-created', lookedUp, ({ created, lookup }) => {
  expect(lookup).toHaveSameAnswerAs(created);
});
