import { assumeAsked, type Join, rule } from '../../harness/features/provider/index.ts';
import {
  answerOf,
  contentOf,
  type Exchange,
  errorBody,
  headerValues,
  Inconclusive,
  protocolModules,
} from '../../harness/index.ts';
import { broken, errorInStream, falseAnswers, refusals } from './cases.ts';
import { expectThat } from './told.ts';

/** @throws {Inconclusive} unless the provider answered as its script says: it may have refused the request itself */
function assumePlayed(join: Join): void {
  assumeAsked(join);
  const { act } = join.script;
  const status = act?.kind === 'refuses' ? act.status : 200;
  if (join.back.every(({ response }) => response?.status !== status)) {
    throw new Inconclusive(
      'the provider refused the request: provider/asked.native-body says why',
      join.back.at(-1) ?? join.front,
    );
  }
}

const statusOf = ({ response }: Exchange): number => response?.status ?? 0;

/** True if an answer says that nothing was served: by its status, an error in it, or a broken connection. */
function isError(front: Exchange): boolean {
  const { response, failure } = front;
  if (response === null || failure !== null || !response.complete) return true;
  return response.status >= 300 || errorBody(front) !== null;
}

/** Says what an answer looks like. */
function shown(front: Exchange): string {
  const { text, ending } = contentOf(front);
  return `${statusOf(front)}, the text ${JSON.stringify(text.slice(0, 60))}, the end ${ending}`;
}

rule('provider/errors.no-2xx', refusals, (join, status) => {
  assumePlayed(join);
  const { front } = join;
  expectThat(isError(front), `an error, as the provider answered ${status}`, shown(front), front);
  expectThat(!hasEnd(join), 'no end of an answer', shown(front), front);
});

/** True if a stream told the end of an answer, or a body a reason for it. */
function hasEnd({ route, front, form }: Join): boolean {
  if (form === 'body') return contentOf(front).ending !== null && errorBody(front) === null;
  return answerOf(front).events.some((event) => protocolModules[route.front].stream.isEnd(event));
}

rule('provider/errors.class', refusals, (join, name) => {
  // The status of a stream is a row of its own.
  if (join.form === 'stream') return;
  assumePlayed(join);
  const status = Number(name);
  const told = statusOf(join.front);
  const isKept =
    status === 429 ? told === 429 : Math.floor(told / 100) === Math.floor(status / 100);
  const expected = status === 429 ? '429' : `${Math.floor(status / 100)}xx`;
  expectThat(isKept, expected, `${told}`, join.front);
});

rule(
  'provider/errors.retry-after',
  refusals,
  (join) => {
    assumePlayed(join);
    const { front, back } = join;
    const [value] = headerValues(front, 'retry-after');
    const tookSeconds = (front.times.ended - (back.at(-1) ?? front).times.ended) / 1_000;
    expectThat(
      waitIn(front) + tookSeconds >= 17,
      '`Retry-After: 17`, or later',
      value ?? 'no such header',
      front,
    );
  },
  { name: '429', form: 'body' },
);

/** Seconds that a gateway asks its client to wait. A date counts by the clock of its own `Date`, in whole seconds. */
function waitIn(front: Exchange): number {
  const [value = ''] = headerValues(front, 'retry-after');
  if (/^\d+$/.test(value)) return Number(value);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return 0;
  const [now] = headerValues(front, 'date');
  // Without its clock nothing follows from a date.
  return now === undefined ? Number.POSITIVE_INFINITY : (until - Date.parse(now)) / 1_000 + 1;
}

rule(
  'provider/errors.own-key',
  refusals,
  (join) => {
    assumePlayed(join);
    expectThat(statusOf(join.front) !== 401, 'another status than 401', '401', join.front);
  },
  { name: '401' },
);

rule('provider/errors.false-200', falseAnswers, (join) => {
  assumePlayed(join);
  const { front } = join;
  expectThat(isError(front), 'an error, as there was no answer', shown(front), front);
});

rule(
  'provider/errors.before-stream',
  refusals,
  (join) => {
    assumePlayed(join);
    const told = statusOf(join.front);
    expectThat(told >= 400, 'an error status', `${told} with a stream`, join.front);
  },
  { name: '400', form: 'stream' },
);

rule('provider/errors.in-stream', errorInStream, (join) => {
  assumePlayed(join);
  const { front } = join;
  expectThat(!hasEnd(join), 'no end of an answer, as the provider failed', shown(front), front);
  expectThat(isError(front), 'an error', shown(front), front);
});

rule('provider/errors.cut-not-whole', broken, (join) => {
  assumePlayed(join);
  const { front } = join;
  const isWhole = join.form === 'body' ? !isError(front) : hasEnd(join);
  expectThat(!isWhole, 'no whole answer, as the provider cut it', shown(front), front);
});

rule('provider/errors.cut-told', broken, (join) => {
  assumePlayed(join);
  expectThat(
    isError(join.front),
    'an error event, or a broken connection',
    shown(join.front),
    join.front,
  );
});
