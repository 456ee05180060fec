import type { Defect } from '../../reference/index.ts';
import { handling } from '../planting.ts';
import type { Front, OwnAnswer, Passing } from './front.ts';
import type { HonestGateway } from './honest-gateway.ts';

/** Returns the error of a rate limit, in the protocol of the path. */
function tooMany({ path }: Passing, seconds: number): OwnAnswer {
  const message = 'Rate limit reached for requests.';
  const isGenerative = path.startsWith('/v1beta/') || /\/models\/.+:/.test(path);
  const body = path.startsWith('/v1/messages')
    ? { type: 'error', error: { type: 'rate_limit_error', message } }
    : isGenerative
      ? { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED' } }
      : { error: { message, type: 'requests', param: null, code: 'rate_limit_exceeded' } };
  return {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': String(seconds) },
    body: JSON.stringify(body),
  };
}

/** Forwards so many requests per second, and as many at once after a pause. */
function rateLimit(perSecond: number): () => Front {
  return () => {
    let tokens = perSecond;
    let filled = performance.now();
    return {
      answer: (request) => {
        const now = performance.now();
        tokens = Math.min(perSecond, tokens + ((now - filled) / 1000) * perSecond);
        filled = now;
        if (tokens < 1) return tooMany(request, 1);
        tokens--;
        return null;
      },
    };
  };
}

/** Milliseconds per token: 1200 words take less time than a round trip. */
const fast = 0.02;

/** Answers the creation of a background run that is not streamed only after the end of the run. */
const instantRuns: Defect['override'] = handling(
  'responses.create',
  (handle) => async (call, key) => {
    const { background, stream } = call.body;
    if (background !== true || stream === true) return handle(call, key);
    const answer = await handle({ ...call, gateway: { ...call.gateway, tokenMs: 0 } }, key);
    const turn = answer.record?.turn;
    if (!turn || !('body' in answer)) return answer;
    await turn.run.settled;
    return { ...answer, body: turn.response() };
  },
);

export const paced: readonly HonestGateway[] = [
  {
    id: 'front.passes-on',
    what: 'A proxy passes on everything as it came.',
    front: () => ({}),
  },
  {
    id: 'pace.ten-a-second',
    what: 'Ten requests a second are served; more get 429 with `Retry-After`.',
    front: rateLimit(10),
  },
  {
    id: 'pace.very-fast',
    what: '1200 words are written in less than a round trip, which takes 100 ms.',
    pace: { latencyMs: 100, tokenMs: fast },
  },
  {
    id: 'pace.very-fast-and-long',
    what: 'The same, and its owner has runs asked for that are long enough to be stopped all the same.',
    pace: { latencyMs: 100, tokenMs: fast },
    described: (target) => ({ ...target, limits: { ...target.limits, longRunTokens: 60_000 } }),
  },
  {
    id: 'pace.held-streams',
    what: 'A proxy delivers every event stream in one piece, when it has ended.',
    front: () => ({ holdsStreams: true }),
  },
  {
    id: 'background.instant',
    what: 'A background run that is not streamed has ended when its creation is answered.',
    override: instantRuns,
  },
  {
    id: 'background.instant-and-fast',
    what: 'The same, and 1200 words are streamed in less than a round trip.',
    pace: { latencyMs: 100, tokenMs: fast },
    override: instantRuns,
  },
];
