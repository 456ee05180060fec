import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  objectOrEmpty,
  Refusal,
} from '../../../reference/index.ts';
import { changed, without } from '../../editing.ts';
import { bodiesOf, handling, type Override, seam } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

const inResults = bodiesOf('systemone.result');

export const systemoneFaults: readonly Fault[] = [
  ...planted({
    'systemone.list': seam('transport', 'send', (native) => (out, head, body, context) => {
      const { dialect } = context.call;
      const served = dialect.name === 'systemone' && context.refusal === null;
      return native(out, head, served ? `[${body}]` : body, context);
    }),
    'systemone.max-tokens-required': handling('systemone.create', (handle) => (call, key) => {
      if (call.body.max_tokens !== undefined) return handle(call, key);
      throw new Refusal('missing-parameter', 'Field required', 'max_tokens');
    }),
    'systemone.answers-numbered': inResults((body) =>
      changed(body, 'answers', (answers) =>
        Object.fromEntries(Object.values(objectOrEmpty(answers)).map((value, i) => [i, value])),
      ),
    ),
    'systemone.usage-without-output': inResults((body) => without(body, 'usage.output_tokens')),
    'systemone.answer-lost': inResults((body) =>
      changed(body, 'answers', (answers) =>
        Object.fromEntries(Object.entries(objectOrEmpty(answers)).slice(0, -1)),
      ),
    ),
    'systemone.one-type': inResults((body) =>
      eachAnswer(body, (answer) => ({ ...answer, type: 'choice' })),
    ),
    'systemone.choice-unknown': inResults((body) =>
      eachAnswer(body, (answer) => {
        if (answer.type !== 'choice') return answer;
        const labels = Object.keys(objectOrEmpty(answer.probabilities));
        return { ...answer, choice: String(labels.indexOf(String(answer.choice))) };
      }),
    ),
    'systemone.percent': inResults((body) =>
      eachAnswer(body, (answer) => ({ ...answer, ...scaled(answer, 100) })),
    ),
    'systemone.not-normalised': inResults((body) =>
      eachAnswer(body, (answer) => ({ ...answer, ...scaled(answer, 0.5) })),
    ),
    'systemone.shares-negative': shares([-0.04, 1]),
    'systemone.shares-above-one': shares([1.04, 0]),
    'systemone.shares-as-text': shares(['0.6', '0.4']),
    'systemone.noul-percent': inResults((body) =>
      eachAnswer(body, (answer) =>
        answer.type === 'noul' ? { ...answer, noul: 100 * Number(answer.noul) + 2 } : answer,
      ),
    ),
  }),
  ...each(['noul', 'score'] as const, (type) => ({
    'systemone.{}-as-text': inResults((body) =>
      eachAnswer(body, (answer) =>
        answer.type === type ? { ...answer, [type]: String(answer[type]) } : answer,
      ),
    ),
  })),
];

/** Replaces the first probabilities of every answer with some, and sets the others to 0. */
function shares(first: readonly Json[]): Override {
  return inResults((body) =>
    eachAnswer(body, (answer) => {
      const names = Object.keys(objectOrEmpty(answer.probabilities));
      if (names.length === 0) return answer;
      const probabilities = names.map((name, index) => [name, first[index] ?? 0]);
      return { ...answer, probabilities: Object.fromEntries(probabilities) };
    }),
  );
}

function eachAnswer(body: JsonObject, change: (answer: JsonObject) => JsonObject): JsonObject {
  return changed(body, 'answers', (answers) =>
    Object.fromEntries(
      Object.entries(objectOrEmpty(answers)).map(([name, answer]) => [
        name,
        isObject(answer) ? change(answer) : answer,
      ]),
    ),
  );
}

function scaled({ probabilities }: JsonObject, factor: number): JsonObject {
  if (!isObject(probabilities) || isArray(probabilities)) return {};
  const times = ([name, share]: [string, Json | undefined]): [string, number] => [
    name,
    Number(share) * factor,
  ];
  return { probabilities: Object.fromEntries(Object.entries(probabilities).map(times)) };
}
