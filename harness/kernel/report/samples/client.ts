import type { Conversation } from '../../core/conversation.ts';
import type { RunResult } from '../../core/result.ts';
import { sampleCheck, sampleRun } from '../../core/samples/run.ts';

const served: Conversation = {
  key: 'client/served#responses/0',
  scenario: 'client/served',
  protocol: 'responses',
  task: 'generate',
  stream: false,
  script: 'serves everything',
  met: false,
  startedAt: 12,
  took: 240,
  exit: 0,
  endedBy: 'itself',
  outcome: null,
  printed: 'Hello, wabc.\n',
  errors: '',
  requests: [
    {
      exchange: 'client/served#responses/0.0',
      request: 'POST /v1/responses',
      region: 'eu',
      at: 200,
      took: 4,
      outcome: '200',
      asked: [200],
    },
  ],
};

/** A client that sends a generation again after a reset. */
export const sentAgain: Conversation = {
  ...served,
  key: 'client/reset#messages/0',
  scenario: 'client/reset',
  protocol: 'messages',
  script: 'resets the connection once it has the request',
  met: true,
  startedAt: 300,
  took: 830,
  outcome: 'complete',
  printed: '{"text":"Hello.","outcome":"complete"}\n',
  requests: [
    {
      exchange: 'client/reset#messages/0.0',
      request: 'GET /v1/models',
      region: 'eu',
      at: 150,
      took: 3,
      outcome: '200',
      asked: [],
    },
    {
      exchange: 'client/reset#messages/0.1',
      request: 'POST /v1/messages',
      region: 'eu',
      at: 200,
      took: 5,
      outcome: 'cut by the gateway, no answer',
      asked: [200],
    },
    {
      exchange: 'client/reset#messages/0.2',
      request: 'POST /v1/messages',
      region: 'eu',
      at: 703,
      took: 100,
      outcome: '200',
      asked: [703],
    },
  ],
};

/** Conversation of a client that did not end by itself. */
const livedOn: Conversation = {
  ...served,
  key: 'client/stall#responses/0',
  scenario: 'client/stall',
  stream: true,
  script: 'sends 4 events of the stream, and then nothing',
  met: true,
  startedAt: 310,
  took: 9_400,
  exit: null,
  endedBy: 'quiet',
  printed: '',
  errors: 'waiting for <the> rest…\n',
};

/** A run that judged a client, for the tests of reports. */
export function sampleClientRun(fields: Partial<RunResult> = {}): RunResult {
  return sampleRun(
    [
      sampleCheck(
        'client/requests.credential-header',
        { state: 'pass', points: { judged: 4, broken: 0 } },
        { scenarios: ['client/served'] },
      ),
      sampleCheck(
        'client/retries.none-when-uncertain:reset',
        {
          state: 'fail',
          expected: 'one generation, since nobody knows whether it was executed',
          actual: '2 generations with the word wabc, the second 503 ms after the first',
          evidence: {
            exchange: 'client/reset#messages/0.2',
            request: 'POST /v1/messages',
            outcome: '200',
            received: '{"model":"ts-1"}',
            curl: 'touchstone client client/retries.none-when-uncertain:reset -- node my.mjs',
          },
        },
        { scenarios: ['client/reset'] },
      ),
      sampleCheck(
        'client/requests.original-region',
        {
          state: 'untestable',
          reason: 'the command is asked for texts alone',
          gap: { kind: 'tasks', names: [] },
        },
        { scenarios: ['client/regions'] },
      ),
      sampleCheck('client/retries.none-when-uncertain:cut-body', {
        state: 'not-applicable',
        reason: 'the client asked for a stream',
      }),
      sampleCheck('client/retries.none-when-uncertain:stall', {
        state: 'inconclusive',
        cause: 'prerequisite',
        reason: 'the client sent no generation',
        evidence: null,
      }),
    ],
    {
      target: {
        name: 'my-client',
        regions: [{ name: 'eu', baseUrl: 'http://127.0.0.1:4000' }],
        client: {
          command: ['node', 'my.mjs', '--ask', '{prompt}', "it's"],
          version: '1.2.3',
          tasks: false,
          speaks: ['responses', 'messages'],
        },
      },
      conversations: [served, sentAgain, livedOn],
      ...fields,
    },
  );
}
