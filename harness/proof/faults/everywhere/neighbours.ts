import { setTimeout as sleep } from 'node:timers/promises';
import { protocolModules } from '../../../kernel/protocols/index.ts';
import type { Answer, Call, Json, Operation } from '../../../reference/index.ts';
import { handling, handlingAll, type Override } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Requests that run at the same time disturb each other, or one user's words come into another's.

/** Time in which a slow gateway has several requests in work, long enough for a busy machine to send them. */
const inWorkMs = 300;

interface Meeting {
  readonly operations: readonly Operation[];
  readonly isStream?: boolean;
  /** Requests that swap their answers. */
  readonly of: 'two users' | 'one user';
}

interface Waiting {
  readonly user: string;
  readonly answer: Answer;
  take(other: Answer): void;
}

function isPlain({ body }: Call): boolean {
  return body.tools === undefined;
}

/** Swaps the answers of two equal requests that are in work at the same time. */
function swapped({ operations, isStream = false, of }: Meeting): Override {
  return (seams) => {
    const waiting: Waiting[] = [];
    return handlingAll((handle) => async (call, key) => {
      if (!operations.includes(call.operation) || !isPlain(call)) return handle(call, key);
      if (call.operation !== 'generative.stream' && (call.body.stream === true) !== isStream) {
        return handle(call, key);
      }
      const answer = await handle(call, key);
      const partner = waiting.findIndex(({ user }) => (user === key.user) === (of === 'one user'));
      const [other] = partner === -1 ? [] : waiting.splice(partner, 1);
      if (other !== undefined) {
        other.take(answer);
        return other.answer;
      }
      return await new Promise<Answer>((take) => {
        const own: Waiting = { user: key.user, answer, take };
        waiting.push(own);
        sleep(inWorkMs).then(() => {
          const at = waiting.indexOf(own);
          if (at !== -1) waiting.splice(at, 1);
          take(answer);
        });
      });
    })(seams);
  };
}

interface Splice {
  readonly operation: Operation;
  /** Member with the conversation. */
  readonly member: string;
  /** Number of requests of which one also reads what was asked before. */
  readonly every: number;
  /** True if it reads what another user asked. */
  readonly betweenUsers?: boolean;
}

/** Puts an earlier conversation before that of some requests. */
function spliced({ operation, member, every, betweenUsers = false }: Splice): Override {
  return (seams) => {
    let count = 0;
    const asked = new Map<string, Json>();
    return handling(operation, (handle) => (call, key) => {
      const own = call.body[member];
      const other = [...asked].find(
        ([user, said]) => (!betweenUsers || user !== key.user) && typeof said === typeof own,
      )?.[1];
      if (own === undefined) return handle(call, key);
      asked.set(key.user, own);
      if (other === undefined || ++count % every !== 0) return handle(call, key);
      const both = typeof own === 'string' ? `${other} ${own}` : [other, own].flat();
      return handle({ ...call, body: { ...call.body, [member]: both } }, key);
    })(seams);
  };
}

const kinds = {
  responses: ['responses.create'],
  'chat-completions': ['chat-completions.create'],
  messages: ['messages.create'],
  generative: ['generative.generate'],
} as const;
const streamKinds = { ...kinds, generative: ['generative.stream'] } as const;

export const neighbourFaults: readonly Fault[] = [
  ...each(['responses', 'chat-completions', 'messages', 'generative'] as const, (protocol) => {
    const [bodies, streams] = [kinds[protocol], streamKinds[protocol]];
    return {
      'neighbours.bodies-of-users-{}': swapped({ operations: bodies, of: 'two users' }),
      'neighbours.bodies-of-user-{}': swapped({ operations: bodies, of: 'one user' }),
      'neighbours.streams-of-users-{}': swapped({
        ...{ operations: streams, of: 'two users', isStream: true },
      }),
      'neighbours.streams-of-user-{}': swapped({
        ...{ operations: streams, of: 'one user', isStream: true },
      }),
    };
  }),
  ...planted({
    'neighbours.prompts-of-users': spliced({
      ...{ operation: 'responses.create', member: 'input', every: 12, betweenUsers: true },
    }),
  }),
  ...each(['responses', 'chat-completions', 'messages', 'generative'] as const, (protocol) => ({
    'neighbours.prompt-before-{}': spliced({
      operation: kinds[protocol][0],
      member: protocolModules[protocol].request.input,
      every: 2,
    }),
  })),
];
