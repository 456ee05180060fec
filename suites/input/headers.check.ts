import {
  type Captures,
  checkEach,
  type EndpointName,
  each,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  view,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { calledInStream } from '../scenarios/generations/tool-calls.ts';
import { truncated, truncatedStream } from '../scenarios/generations/truncated.ts';
import { alternatePath } from '../scenarios/requests/alternate-paths.ts';
import {
  expectServedWith,
  type HeaderForm,
  sendOnceWith,
  type WithHeaders,
} from '../scenarios/requests/common-headers.ts';
import { unstreamed } from '../scenarios/requests/unstreamed.ts';
import { chain } from '../scenarios/stored/chain.ts';
import { afterInterruptedTurn } from '../scenarios/websocket/after-interrupted-turn.ts';

/** What a scenario has sent with such headers besides what it is there for. */
function headersOf(of: Captures<{ readonly headers: WithHeaders }>): Captures<WithHeaders> {
  return view({ of }, ({ of: { headers } }) => headers);
}

/** The baseline request to an endpoint that generates nothing, with such headers. */
function free(form: HeaderForm, name: EndpointName): Captures<WithHeaders> {
  return scenario(
    `input/headers/${form}/${name}`,
    { after: { control: baseline[name] }, cost: { requests: 1, generations: 0 } },
    async ({ ask }, { control: { baseline: plain, id, input } }): Promise<WithHeaders> => {
      const variation = id === null ? { input } : { id };
      return { formed: await sendOnceWith(form, (as) => ask(name, variation, as)), plain };
    },
  );
}

const withCharset = {
  responses: headersOf(chain),
  'chat-completions': headersOf(truncated['chat-completions']),
  messages: headersOf(truncated.messages),
  'messages-count-tokens': free('charset', 'messages-count-tokens'),
  'generate-content': headersOf(truncated.generative),
  'stream-generate-content': headersOf(calledInStream.generative),
  'count-tokens': free('charset', 'count-tokens'),
  'alternate-path': headersOf(alternatePath['generate-content']),
  'input-tokens': free('charset', 'input-tokens'),
} as const;

checkEach('input/headers.charset-served', (endpoint: keyof typeof withCharset) => ({
  on: { sent: withCharset[endpoint] },
  judge: ({ sent }) => expectServedWith(sent),
}));

const inLowerCase = {
  responses: headersOf(unstreamed.responses),
  'chat-completions': headersOf(unstreamed['chat-completions']),
  models: free('lower-case', 'models'),
  lookup: free('lower-case', 'lookup'),
  'input-items': free('lower-case', 'input-items'),
  'input-tokens': free('lower-case', 'input-tokens'),
  websocket: headersOf(afterInterruptedTurn),
} as const;

checkEach('input/headers.lower-case-served', (endpoint: keyof typeof inLowerCase) => ({
  on: { sent: inLowerCase[endpoint] },
  judge: ({ sent }) => expectServedWith(sent),
}));

const acceptingJson = each(streamingProtocols, (protocol: StreamingProtocol) =>
  headersOf(truncatedStream[protocol]),
);

checkEach('input/headers.stream-not-negotiated', (protocol: StreamingProtocol) => ({
  on: { sent: acceptingJson[protocol] },
  judge: ({ sent }) => expectServedWith(sent),
}));
