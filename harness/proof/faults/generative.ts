import { Refusal } from '../../reference/refusal.ts';
import { allThought } from '../all-thought.ts';
import { changed, memberAt, set, without } from '../editing.ts';
import { bodies, handling, moreRoutes, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { constantCount, conversationOptional, limited, limitFaults } from './generations.ts';

const response = 'generative.response';
const finish = 'candidates.0.finishReason';

const actions = [
  ['generate-content', 'generateContent', 'generative.generate'],
  ['stream-generate-content', 'streamGenerateContent', 'generative.stream'],
  ['count-tokens', 'countTokens', 'generative.count-tokens'],
] as const;

export const generativeFaults: readonly Fault[] = [
  {
    id: 'generative.no-role',
    what: 'The content of a candidate has no role.',
    breaks: ['generation/generative.shape'],
    override: bodies(response, (body) => without(body, 'candidates.0.content.role')),
  },
  {
    id: 'generative.no-role-when-cut',
    what: 'A model stops at five tokens, and the content of what it cut has no role.',
    breaks: ['generation/generative.shape'],
    override: together(
      limited(
        ({ operation }) => operation === 'generative.generate',
        (limit) => (limit < 64 ? Math.min(limit, 5) : limit),
      ),
      bodies(response, (body) =>
        memberAt(body, finish) === 'MAX_TOKENS' ? without(body, 'candidates.0.content.role') : body,
      ),
    ),
  },
  {
    id: 'generative.assistant-role',
    what: 'The content of a candidate has the role `assistant`, as in the other protocols.',
    breaks: ['generation/generative.shape'],
    override: bodies(response, (body) => set(body, 'candidates.0.content.role', 'assistant')),
  },
  {
    id: 'generative.text-without-parts',
    what: 'The content of a candidate has its text directly, and no parts.',
    breaks: ['generation/generative.shape'],
    override: bodies(response, (body) =>
      changed(body, 'candidates.0.content', (content) => ({
        role: 'model',
        text: memberAt(content, 'parts.0.text'),
      })),
    ),
  },
  {
    id: 'generative.no-finish-reason',
    what: 'A candidate that has ended has no finish reason.',
    breaks: ['generation/generative.finish-reason'],
    override: bodies(response, (body) => without(body, finish)),
  },
  {
    id: 'generative.empty-finish-reason',
    what: 'A candidate that has come to its end has an empty finish reason.',
    breaks: ['generation/generative.finish-reason'],
    override: bodies(response, (body) =>
      changed(body, finish, (reason) => (reason === 'STOP' ? '' : reason)),
    ),
  },
  {
    id: 'generative.thought-to-the-limit-is-stop',
    what: 'Where thoughts use up the limit, nothing is shown, and the finish reason is `STOP`.',
    breaks: ['generation/generative.truncated-is-max-tokens'],
    override: bodies(response, (body) =>
      memberAt(body, finish) === 'MAX_TOKENS' ? set(allThought(body), finish, 'STOP') : body,
    ),
  },
  {
    id: 'generative.cut-short-is-stop',
    what: 'A candidate that was cut at its limit ends with `STOP`.',
    breaks: ['generation/generative.truncated-is-max-tokens'],
    override: bodies(response, (body) =>
      changed(body, finish, (reason) => (reason === 'MAX_TOKENS' ? 'STOP' : reason)),
    ),
  },
  {
    id: 'generative.total-without-candidates',
    what: 'The total of the usage leaves the candidates out.',
    breaks: ['generation/generative.usage-adds-up'],
    override: bodies(response, (body) =>
      set(
        body,
        'usageMetadata.totalTokenCount',
        memberAt(body, 'usageMetadata.promptTokenCount') ?? 0,
      ),
    ),
  },
  conversationOptional('generative'),
  {
    id: 'generative.single-turn-only',
    what: "A conversation is refused when the model's own turn is in it.",
    breaks: ['generation/generative.conversation-served'],
    override: handling('generative.generate', (handle) => (call, key) => {
      const answered = memberAt(call.body, 'contents.1.parts.0.text');
      if (typeof answered !== 'string') return handle(call, key);
      throw new Refusal('invalid-value', 'Please ensure that there is one content.', 'contents');
    }),
  },
  ...limitFaults('generative'),
  {
    id: 'generative.any-action',
    what: 'An action that does not exist is served as `generateContent`.',
    breaks: ['generation/generative.unknown-action-refused'],
    override: moreRoutes('generative', (routes) =>
      routes
        .filter(({ path }) => path.test('/v1beta/models/x:generateContent'))
        .map((route) => ({
          ...route,
          path: /^\/v1(?:beta)?\/models\/(?<model>[^/]+):(?!generateContent$|streamGenerateContent$|countTokens$)\w+$/,
        })),
    ),
  },
  ...actions.map(
    ([value, action, operation]): Fault => ({
      id: `generative.no-alternate-${value}`,
      what: `\`${action}\` is served under /v1beta only.`,
      breaks: [`generation/paths.same-actions:${value}`],
      override: handling(operation, (handle) => (call, key) => {
        if (!call.path.startsWith('/v1/')) return handle(call, key);
        throw new Refusal('unknown-path', 'Not found.');
      }),
    }),
  ),
  {
    id: 'generative.alternate-path-openai-style',
    what: 'The alternate path answers `generateContent` with a chat completion.',
    breaks: ['generation/paths.same-actions:generate-content'],
    override: ({ encode }) => ({
      encode: {
        body: (kind, body, context) => {
          const native = encode.body(kind, body, context);
          if (kind !== response || !context.call.path.startsWith('/v1/')) return native;
          const text = memberAt(native, 'candidates.0.content.parts.0.text') ?? null;
          return {
            id: native.responseId,
            object: 'chat.completion',
            choices: [{ index: 0, message: { role: 'assistant', content: text } }],
          };
        },
      },
    }),
  },
  {
    id: 'generative-count.wrong-member',
    what: 'A count is answered as `total_tokens`.',
    breaks: ['counting/generative.shape'],
    override: bodies('generative.count', ({ totalTokens }) => ({ total_tokens: totalTokens })),
  },
  {
    id: 'generative-count.zero',
    what: 'Every count is 0.',
    breaks: ['counting/generative.shape'],
    override: bodies('generative.count', (body) => set(body, 'totalTokens', 0)),
  },
  constantCount('generative'),
];
