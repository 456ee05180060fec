import {
  type Captures,
  check,
  type EndpointName,
  each,
  endpoints,
  isRefused,
  NothingToJudge,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  view,
} from '../../harness/index.ts';
import { baseline, unstreamed } from '../scenarios/baselines.ts';
import { otherForm } from '../scenarios/generations/conversations.ts';
import { truncated, truncatedStream, unlimited } from '../scenarios/generations/limits.ts';
import { calledInStream } from '../scenarios/generations/tool-calls.ts';
import { alternatePath } from '../scenarios/requests/alternate-paths.ts';
import { afterwards } from '../scenarios/requests/bad-bodies.ts';
import {
  type ClientForm,
  clientForms,
  costOf,
  expectServedAs,
  type InForms,
  sendInForms,
} from '../scenarios/requests/request-forms.ts';
import { besideCancelled } from '../scenarios/running/interrupted-streams.ts';
import { branchDeleted, chain, compactedOn } from '../scenarios/stored/chain.ts';
import { continuedOverWebsocket } from '../scenarios/stored/served-operations.ts';

/** Selects the requests that a scenario has sent in client forms, besides those of its purpose. */
function clientsIn(of: Captures<{ readonly clients: InForms }>): Captures<InForms> {
  return view({ of }, ({ of: { clients } }) => clients);
}

/** Returns the baseline request to an endpoint that generates nothing. */
function free(name: EndpointName, set: 'first' | 'second'): Captures<InForms> {
  const hasBody = endpoints[name].namesModel !== 'none';
  const forms = set === 'first' && !hasBody ? clientForms.withoutBody : clientForms[set];
  return clientsIn(
    scenario(
      `input/headers/${set}/${name}`,
      {
        after: { control: baseline[name] },
        cost: costOf(forms, { requests: 1, generations: 0 }),
      },
      async (io, { control: { id, input } }) =>
        sendInForms(io, forms, (as) => io.ask(name, id === null ? { input } : { id }, as)),
    ),
  );
}

/** Applies if the model streams. Otherwise the scenario requested one JSON body. */
function streamedAlone(of: Captures<InForms>): Captures<InForms> {
  return view({ of }, ({ of: clients }) => {
    if (!/:streamGenerateContent/.test(clients.attempts[0]?.exchange.request.url ?? '')) {
      throw new NothingToJudge('the model does not stream');
    }
    // The specification asks for an output limit, which these requests do not set.
    const plain = clients.attempts.find(({ forms }) => forms.length === 0);
    if (plain !== undefined && isRefused(plain.exchange)) {
      throw new NothingToJudge('a request without an output limit is refused');
    }
    return clients;
  });
}

/** Endpoints that take requests over HTTP. */
type Asked = Exclude<EndpointName, 'websocket'>;

/** Both requests per endpoint, which together cover all forms. The type requires every endpoint. */
const sent = {
  first: {
    responses: clientsIn(chain),
    'chat-completions': clientsIn(truncated['chat-completions']),
    messages: clientsIn(truncated.messages),
    'messages-count-tokens': free('messages-count-tokens', 'first'),
    'generate-content': clientsIn(truncated.generative),
    'stream-generate-content': clientsIn(calledInStream.generative),
    'count-tokens': free('count-tokens', 'first'),
    'alternate-path': clientsIn(alternatePath['generate-content']),
    systemone: clientsIn(afterwards.systemone),
    models: free('models', 'first'),
    catalog: free('catalog', 'first'),
    lookup: free('lookup', 'first'),
    'input-items': free('input-items', 'first'),
    cancel: clientsIn(besideCancelled),
    delete: clientsIn(branchDeleted),
    compact: clientsIn(compactedOn),
    'input-tokens': free('input-tokens', 'first'),
  },
  second: {
    responses: clientsIn(unstreamed.responses),
    'chat-completions': clientsIn(unstreamed['chat-completions']),
    messages: clientsIn(unstreamed.messages),
    'messages-count-tokens': free('messages-count-tokens', 'second'),
    'generate-content': clientsIn(otherForm.generative),
    'stream-generate-content': streamedAlone(clientsIn(unlimited.generative)),
    'count-tokens': free('count-tokens', 'second'),
    'alternate-path': clientsIn(alternatePath['stream-generate-content']),
    systemone: clientsIn(baseline.systemone),
    models: free('models', 'second'),
    catalog: free('catalog', 'second'),
    lookup: free('lookup', 'second'),
    'input-items': free('input-items', 'second'),
    cancel: clientsIn(baseline.cancel),
    delete: clientsIn(baseline.delete),
    compact: clientsIn(baseline.compact),
    'input-tokens': free('input-tokens', 'second'),
  },
} as const satisfies Readonly<Record<'first' | 'second', Record<Asked, Captures<InForms>>>>;

function judged(form: ClientForm, clients: Captures<InForms>) {
  return {
    on: { clients },
    judge: ({ clients }: { readonly clients: InForms }) => expectServedAs(form, clients),
  };
}

check.each('input/headers.any-type-served', (endpoint: Asked) =>
  judged('accept-any', sent.first[endpoint]),
);

check.each('input/headers.no-accept-served', (endpoint: Asked) =>
  judged('no-accept', sent.second[endpoint]),
);

check.each('input/headers.kept-connection-served', (endpoint: Asked) =>
  judged('kept-alive', sent.first[endpoint]),
);

check.each('input/headers.http2-served', (endpoint: Asked) =>
  judged('http-2', sent.second[endpoint]),
);

type WithBody = Exclude<
  Asked,
  'models' | 'catalog' | 'lookup' | 'input-items' | 'cancel' | 'delete'
>;

check.each('input/headers.charset-served', (endpoint: WithBody) =>
  judged('charset', sent.first[endpoint]),
);

/** Excludes the endpoints of Messages and generative-content, which have their own credential headers. */
type WithScheme = Exclude<
  EndpointName,
  | 'messages'
  | 'messages-count-tokens'
  | 'generate-content'
  | 'stream-generate-content'
  | 'count-tokens'
  | 'alternate-path'
  | 'catalog'
>;

check.each('input/headers.lower-case-served', (endpoint: WithScheme) =>
  judged(
    'lower-case',
    endpoint === 'websocket' ? clientsIn(continuedOverWebsocket) : sent.second[endpoint],
  ),
);

const ofStreams = each(streamingProtocols, (protocol: StreamingProtocol) =>
  clientsIn(truncatedStream[protocol]),
);

check.each('input/headers.stream-not-negotiated', (protocol: StreamingProtocol) =>
  judged('accept-json', ofStreams[protocol]),
);

check.each('input/headers.http2-streamed', (protocol: StreamingProtocol) =>
  judged('http-2', ofStreams[protocol]),
);
