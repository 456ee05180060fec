import {
  type Defect,
  isArray,
  isObject,
  type JsonObject,
  objectOrEmpty,
} from '../../reference/index.ts';
import { changed, memberAt, set, without } from '../editing.ts';
import { allThought, bodies, eachData, eachEvent, together } from '../planting.ts';
import type { Variant } from './variant.ts';

const protocol = 'generative';
const response = 'generative.response';
const finish = 'candidates.0.finishReason';
const parts = 'candidates.0.content.parts';
const text = `${parts}.0.text`;

/** Applies a change to a whole response and to each chunk of a stream. */
function everywhere(change: (body: JsonObject) => JsonObject): Defect['override'] {
  return together(bodies(response, change), eachData(protocol, change));
}

/** A thought stands before the text, of two tokens. */
export const thinking = everywhere((body) =>
  changed(
    changed(body, parts, (list) =>
      isArray(list) && list.length > 0 ? [{ text: 'Hm.', thought: true }, ...list] : list,
    ),
    'usageMetadata',
    (usage) => ({
      ...Object(usage),
      thoughtsTokenCount: 2,
      totalTokenCount: Number(memberAt(usage, 'totalTokenCount') ?? 0) + 2,
    }),
  ),
);

/** The finish reason in a chunk of its own, behind the last text; `last` makes that chunk. */
function finishAlone(last: (data: JsonObject) => JsonObject): Defect['override'] {
  return eachEvent(protocol, () => ({ name, data }) => {
    const hasText = typeof memberAt(data, text) === 'string';
    if (typeof data === 'string' || memberAt(data, finish) === undefined || !hasText) {
      return { name, data };
    }
    return [
      { name, data: without(data, finish) },
      { name, data: last(data) },
    ];
  });
}

const generativeOwnVariants: readonly Variant[] = [
  {
    id: 'generative.index-omitted',
    what: 'The index 0 of the only candidate is left out, as protobuf JSON does.',
    override: everywhere((body) =>
      changed(body, 'candidates.0.index', (index) => (index === 0 ? undefined : index)),
    ),
  },
  {
    id: 'generative.least-members',
    what: 'A response has its candidates, and nothing else.',
    warns: ['generation/generative-stream.usage-on-last'],
    override: everywhere(({ candidates }) => ({ candidates })),
  },
  {
    id: 'generative.more-members',
    what: 'A candidate has ratings, citations and an average, and the response a status of the model.',
    override: everywhere((body) => ({
      ...changed(body, 'candidates.0', (candidate) => ({
        ...Object(candidate),
        avgLogprobs: -0.1,
        safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
        citationMetadata: { citations: [] },
      })),
      createTime: '2026-11-21T10:00:00Z',
      modelStatus: { modelStage: 'STABLE' },
    })),
  },
  {
    id: 'generative.thoughts',
    what: 'A thought stands before the text, and is counted.',
    override: thinking,
  },
  {
    id: 'generative.thoughts-untold',
    what: 'The total of the usage has thoughts in it that are counted nowhere else.',
    warns: ['generation/generative.hidden-tokens-shown'],
    override: everywhere((body) =>
      changed(body, 'usageMetadata.totalTokenCount', (total) =>
        typeof total === 'number' ? total + 5 : total,
      ),
    ),
  },
  {
    id: 'generative.two-parts',
    what: 'The text is split into two parts.',
    override: everywhere((body) =>
      changed(body, parts, (list) => {
        const whole = memberAt(list, '0.text');
        if (typeof whole !== 'string' || whole.length < 2) return list;
        return [{ text: whole.slice(0, 1) }, { text: whole.slice(1) }];
      }),
    ),
  },
  {
    id: 'generative.cut-without-parts',
    what: 'A candidate that was cut at its limit has no parts, and no count of them.',
    override: bodies(response, (body) =>
      memberAt(body, finish) === 'MAX_TOKENS'
        ? without(body, parts, 'usageMetadata.candidatesTokenCount')
        : body,
    ),
  },
  {
    id: 'generative.thoughts-use-up-the-limit',
    what: 'A candidate that was cut at its limit has only hidden thoughts.',
    override: bodies(response, (body) =>
      memberAt(body, finish) === 'MAX_TOKENS' ? allThought(body) : body,
    ),
  },
  {
    id: 'generative.call-without-id',
    what: 'The call of a function has no id, as in the older versions.',
    override: everywhere((body) => without(body, `${parts}.0.functionCall.id`)),
  },
  {
    id: 'generative.dated-model',
    what: 'The response names the dated version of the model that was asked for.',
    override: everywhere((body) => set(body, 'modelVersion', `${body.modelVersion}-001`)),
  },
  {
    id: 'generative-stream.finish-alone',
    what: 'The finish reason comes in a last chunk without text.',
    override: finishAlone((data) => without(data, 'candidates.0.content')),
  },
  {
    id: 'generative-stream.stop-without-parts',
    what: 'The finish reason comes in a last chunk whose content has a role, and no parts.',
    override: finishAlone((data) => set(data, 'candidates.0.content', { role: 'model' })),
  },
  {
    id: 'generative-stream.usage-at-end-only',
    what: 'Only the last chunk has the usage.',
    override: eachData(protocol, (chunk) =>
      memberAt(chunk, finish) === undefined ? without(chunk, 'usageMetadata') : chunk,
    ),
  },
  {
    id: 'generative-stream.usage-alone',
    what: 'The usage comes in a chunk of its own, without candidates, after the last candidate.',
    override: eachEvent(protocol, () => ({ name, data }) => {
      if (typeof data === 'string' || memberAt(data, finish) === undefined) return { name, data };
      const { usageMetadata, modelVersion, responseId } = data;
      return [
        { name, data },
        { name, data: { usageMetadata, modelVersion, responseId } },
      ];
    }),
  },
  {
    id: 'generative-stream.prompt-uncounted',
    what: 'The usage of a chunk has its total and the count of the output alone.',
    override: eachData(protocol, (chunk) => without(chunk, 'usageMetadata.promptTokenCount')),
  },
  {
    id: 'generative-stream.unspecified-until-end',
    what: 'Chunks before the last have an empty finish reason.',
    override: eachData(protocol, (chunk) =>
      memberAt(chunk, finish) === undefined && memberAt(chunk, 'candidates.0') !== undefined
        ? set(chunk, finish, 'FINISH_REASON_UNSPECIFIED')
        : chunk,
    ),
  },
  {
    id: 'generative-stream.empty-texts',
    what: 'Some chunks have an empty text.',
    override: eachEvent(protocol, () => ({ name, data }) => {
      const isPiece = typeof memberAt(data, text) === 'string';
      if (typeof data === 'string' || !isPiece) return { name, data };
      return [
        { name, data: without(set(data, text, ''), finish) },
        { name, data },
      ];
    }),
  },
  {
    id: 'generative-count.total-alone',
    what: 'A count has its total alone.',
    override: bodies('generative.count', ({ totalTokens }) => ({ totalTokens })),
  },
];

const systemoneVariants: readonly Variant[] = [
  {
    id: 'systemone.certain',
    what: 'Every answer is certain: its probabilities are 0 and 1.',
    override: bodies('systemone.result', (body) => eachAnswer(body, 1, 0)),
  },
  {
    id: 'systemone.impossible',
    what: 'Every `noul` is 0, and shares are rounded to 1.05 in sum.',
    override: bodies('systemone.result', (body) => eachAnswer(body, 0, 0.05)),
  },
];

/** A share of 1 for the first label or level, another for the second, and none for the others. */
function eachAnswer(body: JsonObject, noul: number, second: number): JsonObject {
  const answers = Object.entries(objectOrEmpty(body.answers)).map(([name, answer]) => {
    if (!isObject(answer)) return [name, answer];
    if (answer.type === 'noul') return [name, { ...answer, noul }];
    const labels = Object.keys(objectOrEmpty(answer.probabilities));
    const shares = labels.map((label, index) => [label, [1, second][index] ?? 0]);
    return [name, { ...answer, probabilities: Object.fromEntries(shares) }];
  });
  return changed(body, 'answers', () => Object.fromEntries(answers));
}

export const generativeVariants: readonly Variant[] = [
  ...generativeOwnVariants,
  ...systemoneVariants,
];
