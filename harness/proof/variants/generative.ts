import {
  type Defect,
  isArray,
  isObject,
  type JsonObject,
  objectOrEmpty,
} from '../../reference/index.ts';
import { changed, dropping, memberAt, set, setting, without } from '../editing.ts';
import { allThought, bodies, eachData, eachEvent, together } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

const protocol = 'generative';
const response = 'generative.response';
const finish = 'candidates.0.finishReason';
const parts = 'candidates.0.content.parts';
const text = `${parts}.0.text`;

/** Applies a change to a whole response and to each chunk of a stream. */
function inEveryChunk(change: (body: JsonObject) => JsonObject): Defect['override'] {
  return together(bodies(response, change), eachData(protocol, change));
}

/** Inserts a thought of two tokens before the text. */
export const thinking = inEveryChunk(thinks);

function thinks(body: JsonObject): JsonObject {
  return changed(
    changed(body, parts, (list) =>
      isArray(list) && list.length > 0 ? [{ text: 'Hm.', thought: true }, ...list] : list,
    ),
    'usageMetadata',
    (usage) => ({
      ...Object(usage),
      thoughtsTokenCount: Number(memberAt(usage, 'thoughtsTokenCount') ?? 0) + 2,
      totalTokenCount: Number(memberAt(usage, 'totalTokenCount') ?? 0) + 2,
    }),
  );
}

function isThoughtTold(body: JsonObject): boolean {
  return memberAt(body, 'usageMetadata.thoughtsTokenCount') !== undefined;
}

/** Sends the finish reason in a separate chunk after the last text; `last` creates that chunk. */
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

const generativeOwnVariants: readonly Variant[] = planted({
  'generative.index-omitted': inEveryChunk((body) =>
    changed(body, 'candidates.0.index', (index) => (index === 0 ? undefined : index)),
  ),
  'generative.least-members': inEveryChunk(({ candidates }) => ({ candidates })),
  'generative.more-members': inEveryChunk((body) => ({
    ...changed(body, 'candidates.0', (candidate) => ({
      ...Object(candidate),
      avgLogprobs: -0.1,
      safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
      citationMetadata: { citations: [] },
    })),
    createTime: '2026-11-21T10:00:00Z',
    modelStatus: { modelStage: 'STABLE' },
  })),
  'generative.thoughts': inEveryChunk((body) => (isThoughtTold(body) ? body : thinks(body))),
  'generative.thoughts-untold': inEveryChunk((body) =>
    changed(body, 'usageMetadata.totalTokenCount', (total) =>
      typeof total === 'number' && !isThoughtTold(body) ? total + 5 : total,
    ),
  ),
  'generative.two-parts': inEveryChunk((body) =>
    changed(body, parts, (list) =>
      isArray(list)
        ? list.flatMap((part) => {
            const { text = '' } = isObject(part) ? part : {};
            if (!isObject(part) || typeof text !== 'string' || text.length < 2) return [part];
            return [text.slice(0, 1), text.slice(1)].map((half) => ({ ...part, text: half }));
          })
        : list,
    ),
  ),
  'generative.cut-without-parts': bodies(response, (body) =>
    memberAt(body, finish) === 'MAX_TOKENS'
      ? without(body, parts, 'usageMetadata.candidatesTokenCount')
      : body,
  ),
  'generative.thoughts-use-up-the-limit': bodies(response, (body) =>
    memberAt(body, finish) === 'MAX_TOKENS' ? allThought(body) : body,
  ),
  'generative.call-without-id': inEveryChunk(dropping(`${parts}.0.functionCall.id`)),
  'generative.dated-model': inEveryChunk((body) =>
    set(body, 'modelVersion', `${body.modelVersion}-001`),
  ),
  'generative-stream.finish-alone': finishAlone(dropping('candidates.0.content')),
  'generative-stream.stop-without-parts': finishAlone(
    setting('candidates.0.content', { role: 'model' }),
  ),
  'generative-stream.usage-at-end-only': eachData(protocol, (chunk) =>
    memberAt(chunk, finish) === undefined ? without(chunk, 'usageMetadata') : chunk,
  ),
  'generative-stream.usage-alone': eachEvent(protocol, () => ({ name, data }) => {
    if (typeof data === 'string' || memberAt(data, finish) === undefined) return { name, data };
    const { usageMetadata, modelVersion, responseId } = data;
    return [
      { name, data },
      { name, data: { usageMetadata, modelVersion, responseId } },
    ];
  }),
  'generative-stream.prompt-uncounted': eachData(
    protocol,
    dropping('usageMetadata.promptTokenCount'),
  ),
  'generative-stream.unspecified-until-end': eachData(protocol, (chunk) =>
    memberAt(chunk, finish) === undefined && memberAt(chunk, 'candidates.0') !== undefined
      ? set(chunk, finish, 'FINISH_REASON_UNSPECIFIED')
      : chunk,
  ),
  'generative-stream.empty-texts': eachEvent(protocol, () => ({ name, data }) => {
    const isPiece = typeof memberAt(data, text) === 'string';
    if (typeof data === 'string' || !isPiece) return { name, data };
    return [
      { name, data: without(set(data, text, ''), finish) },
      { name, data },
    ];
  }),
  'generative-count.total-alone': bodies('generative.count', ({ totalTokens }) => ({
    totalTokens,
  })),
});

const systemoneVariants: readonly Variant[] = planted({
  'systemone.certain': bodies('systemone.result', (body) => roundedAnswers(body, 1, 0)),
  'systemone.impossible': bodies('systemone.result', (body) => roundedAnswers(body, 0, 0.05)),
});

/** Sets the probability of the first label or level to 1, of the second to another value, and of the others to 0. */
function roundedAnswers(body: JsonObject, noul: number, second: number): JsonObject {
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
