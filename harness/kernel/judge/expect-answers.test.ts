import { describe, test, expect as the } from 'vitest';
import { completion, openAiError, response } from '../protocols/samples/bodies.ts';
import { sample, sampleSocket, sampleStream } from '../protocols/samples/exchange.ts';
import { assumeServed, type ExchangeExpectation, expect } from './expect.ts';
import { ExpectationFailed, Inconclusive } from './failure.ts';

type Verdict = 'holds' | 'fails' | 'inconclusive';

function verdict(judge: () => unknown): Verdict {
  try {
    judge();
    return 'holds';
  } catch (error) {
    if (error instanceof ExpectationFailed) return 'fails';
    if (error instanceof Inconclusive) return 'inconclusive';
    throw error;
  }
}

const envelope = { data: response, requestId: 'r' };
const event = (body: unknown) => `data: ${JSON.stringify(body)}\n\n`;
const created = { type: 'response.created', sequence_number: 0, response };
const completed = { type: 'response.completed', sequence_number: 1, response };
const errorFrame = { type: 'error', error: { type: 'x', code: 'y', message: 'no', param: null } };
const reset = { kind: 'reset', message: '' } as const;

const answers = {
  good: sample({ body: response }),
  enveloped: sample({ body: envelope }),
  refused: sample({ status: 404, body: openAiError }),
  refusedInText: sample({ status: 404, body: '<p>no</p>' }),
  refusedAt400: sample({ status: 400, body: openAiError }),
  lacking: sample({ status: 501, body: openAiError }),
  redirected: sample({ status: 301, body: openAiError }),
  broken: sample({ status: 500, body: openAiError }),
  limited: sample({ status: 429, body: openAiError }),
  none: sample({ status: null, failure: { kind: 'not-http', message: '' } }),
  cutOff: sample({ body: response, failure: reset }),
  stream: sampleStream(event(created) + event(completed)),
  streamedError: sampleStream(event(errorFrame)),
  turn: sampleSocket([
    ['<', created],
    ['<', completed],
  ]),
  refusedTurn: sampleSocket([
    ['<', { type: 'ping' }],
    ['<', errorFrame],
  ]),
} as const;

type Expected = Partial<Record<keyof typeof answers, Verdict>>;

/** Asserts what an expectation says of each named answer. Answers without a name are not looked at. */
function says(judge: (it: ExchangeExpectation) => unknown, expected: Expected): void {
  const found = Object.entries(answers)
    .filter(([name]) => name in expected)
    .map(([name, exchange]) => [name, verdict(() => judge(expect(exchange)))]);
  the(Object.fromEntries(found)).toEqual(expected);
}

describe('an answer', () => {
  test('is given: 2xx or 4xx, and whole', () => {
    says((it) => it.toBeAnswered(), {
      good: 'holds',
      refused: 'holds',
      refusedAt400: 'holds',
      redirected: 'fails',
      broken: 'fails',
      lacking: 'fails',
      cutOff: 'fails',
      none: 'fails',
      limited: 'inconclusive',
    });
    for (const [status, expected] of [
      [101, 'fails'],
      [200, 'holds'],
      [299, 'holds'],
      [300, 'fails'],
      [399, 'fails'],
      [499, 'holds'],
    ] as const) {
      const exchange = sample({ status, body: response });
      the(
        verdict(() => expect(exchange).toBeAnswered()),
        `${status}`,
      ).toBe(expected);
    }
  });

  test('is not wrapped', () => {
    says((it) => it.toBeUnwrapped(), {
      good: 'holds',
      enveloped: 'fails',
      refused: 'inconclusive',
      stream: 'holds',
    });
  });

  test('is one JSON body', () => {
    says((it) => it.toBeJson(), {
      good: 'holds',
      stream: 'fails',
      refused: 'inconclusive',
      refusedAt400: 'inconclusive',
      none: 'fails',
      limited: 'inconclusive',
    });
  });

  test('has a status', () => {
    says((it) => it.toHaveStatus(200, 404), {
      good: 'holds',
      refused: 'holds',
      refusedAt400: 'fails',
      none: 'fails',
      limited: 'inconclusive',
    });
    the(verdict(() => expect(answers.none).toHaveStatus(1))).toBe('fails');
  });

  test('has a content type', () => {
    says((it) => it.toHaveContentType('application/json'), {
      good: 'holds',
      stream: 'fails',
      none: 'fails',
      limited: 'inconclusive',
    });
    const padded = sample({ body: {}, headers: [['content-type', 'application/json ; q=1']] });
    the(verdict(() => expect(padded).toHaveContentType('application/json'))).toBe('holds');
    the(verdict(() => expect(padded).toHaveContentType('json'))).toBe('fails');
    the(verdict(() => expect(padded).toHaveContentType('+json'))).toBe('fails');
    const untyped = sample({ body: {}, headers: [] });
    the(verdict(() => expect(untyped).toHaveContentType(''))).toBe('holds');
  });

  test('follows a rule of its stream, where it is served', () => {
    says((it) => it.toFollow('events-typed'), {
      stream: 'holds',
      good: 'fails',
      refused: 'inconclusive',
      refusedAt400: 'inconclusive',
      streamedError: 'inconclusive',
      none: 'fails',
    });
  });

  test('fits a schema, where there is something to fit', () => {
    says((it) => it.toMatchSchema('responses/response'), {
      good: 'holds',
      stream: 'holds',
      enveloped: 'fails',
      refused: 'inconclusive',
      limited: 'inconclusive',
      none: 'fails',
    });
  });
});

describe('a refusal', () => {
  test('comes before the stream', () => {
    says((it) => it.toBeRefusedBeforeItStreams(), {
      refused: 'holds',
      refusedAt400: 'holds',
      lacking: 'holds',
      refusedInText: 'fails',
      streamedError: 'fails',
      good: 'inconclusive',
      limited: 'inconclusive',
    });
  });

  test('has the shape of its protocol, as a body or a frame', () => {
    says((it) => it.toHaveErrorShape('responses/error'), {
      refused: 'holds',
      refusedInText: 'fails',
      good: 'inconclusive',
      limited: 'inconclusive',
    });
    says((it) => it.toHaveErrorShape('responses/error-frame'), { refusedTurn: 'holds' });
    const shapeless = sample({ status: 404, body: { error: 'no' } });
    the(verdict(() => expect(shapeless).toHaveErrorShape('responses/error'))).toBe('fails');
  });

  test('is shown by no answer that is undecided', () => {
    says((it) => it.toBeRefused(), {
      good: 'fails',
      refused: 'holds',
      limited: 'inconclusive',
      lacking: 'fails',
    });
    says((it) => it.toBeRefused({ capability: true }), { lacking: 'holds' });
    const error = { message: 'The channel of this model has no WebSocket.', code: 'unsupported' };
    const unavailable = sample({ status: 503, body: { error } });
    const capability = true;
    const judged = (options: object) => verdict(() => expect(unavailable).toBeRefused(options));
    the(judged({ capability, control: answers.good })).toBe('holds');
    the(judged({ capability, control: answers.limited })).toBe('inconclusive');
    the(judged({ capability, control: [] })).toBe('inconclusive');
    the(judged({ control: answers.good })).toBe('inconclusive');
  });

  test('is a denial only beside a control that is served', () => {
    const secret = ['walnut'];
    says((it) => it.toBeDenied({ secret }), { refused: 'holds', good: 'fails' });
    says((it) => it.toBeDenied({ secret, control: answers.refused }), {
      refused: 'inconclusive',
      good: 'fails',
    });
  });
});

test('an answer that something is compared with has to be served', () => {
  says((it) => it.toHaveSameAnswerAs(answers.good), {
    good: 'holds',
    refused: 'fails',
    limited: 'inconclusive',
  });
  says((it) => it.toHaveSameAnswerAs(answers.limited), { good: 'inconclusive' });
  const silent = sample({ body: { object: 'response', output: [] } });
  // The other answer has no id and no status, so only the text can differ.
  the(
    verdict(() => expect(sample({ body: { ...response, output: [] } })).toHaveSameAnswerAs(silent)),
  ).toBe('holds');
});

test('what is shown of a value that is wrong', () => {
  const shown = (what: string, actual?: (body: unknown) => unknown) => {
    try {
      expect(answers.good).toHave(what, () => false, actual);
    } catch (error) {
      return error instanceof ExpectationFailed ? error.actual : null;
    }
    return null;
  };
  the(shown('status')).toBe('status: "completed"');
  the(shown('a sentence', () => 'in words')).toBe('in words');
  the(shown('a sentence', () => 5)).toBe('5');
  the(shown('a sentence')).toContain('"object":"response"');
});

test('the first five things that are wrong with a body are told', () => {
  const told = (count: number) => {
    const output = Array.from({ length: count }, () => ({ type: 5 }));
    try {
      expect(sample({ body: { ...response, output } })).toMatchSchema('responses/response');
    } catch (error) {
      return error instanceof ExpectationFailed ? error.actual.split('; ') : [];
    }
    return [];
  };
  the(told(5)).toHaveLength(5);
  the(told(7)).toHaveLength(6);
  the(told(7).at(-1)).toBe('and 2 more');
});

/** Returns the message of an expectation that does not hold, or null if it holds. */
function told(judge: () => unknown): string | null {
  try {
    judge();
  } catch (error) {
    if (error instanceof ExpectationFailed) return error.actual;
    if (error instanceof Inconclusive) return error.message;
    throw error;
  }
  return null;
}

test('what came instead is told', () => {
  the(told(() => expect(answers.redirected).toBeAnswered())).toMatch(/^301 /);
  the(told(() => expect(answers.none).toHaveContentType('x/y'))).toMatch(/^no answer: /);
  the(told(() => expect(answers.good).toHaveErrorShape('responses/error'))).toContain(
    'was not refused: 200 with',
  );
  the(told(() => expect(answers.limited).toHaveErrorShape('responses/error'))).toContain('429');
  the(told(() => expect(answers.refusedInText).toHaveErrorShape('responses/error'))).toMatch(
    /^404 /,
  );
  const shapeless = sample({ status: 404, body: { error: 'no' } });
  the(told(() => expect(shapeless).toHaveErrorShape('responses/error'))).toContain('must be an');
  const nameless = sampleStream(event({ type: 'ping' }), { status: 404 });
  the(told(() => expect(nameless).toHaveErrorShape('responses/error'))).toMatch(/^404 /);
  the(told(() => assumeServed(answers.refused))).toMatch(
    / was not served, so this check proves nothing: 404 /,
  );
});

test('a control is served, or nothing can be said', () => {
  the(verdict(() => assumeServed(undefined))).toBe('holds');
  the(verdict(() => assumeServed([]))).toBe('holds');
  the(verdict(() => assumeServed(answers.good))).toBe('holds');
  the(verdict(() => assumeServed([answers.good, answers.refused]))).toBe('inconclusive');
  the(verdict(() => assumeServed(answers.limited))).toBe('inconclusive');
  const foreign = sample({ protocol: 'messages', body: completion });
  the(verdict(() => assumeServed(foreign))).toBe('inconclusive');
});
