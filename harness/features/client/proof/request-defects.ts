import { type Protocol, protocols } from '../../../kernel/core/index.ts';
import { type ClientDefect, tabled } from './variation.ts';

/** Members of bodies, and headers, of each protocol, and the rows that a client breaks without them. */
const members: Readonly<Partial<Record<Protocol, Readonly<Record<string, string>>>>> = {
  responses: {
    max_output_tokens: 'requests.output-limit-set',
    store: 'requests.store-said requests.background-stores',
    stream: 'tasks.sent:stream',
    background: 'tasks.sent:background',
    previous_response_id: 'tasks.sent:continue',
    authorization: 'requests.credential-header requests.credential-on-counts',
  },
  'chat-completions': {
    max_completion_tokens: 'requests.output-limit-set',
    stream: 'tasks.sent:stream',
    authorization: 'requests.credential-header',
  },
  messages: {
    max_tokens: 'requests.output-limit-set',
    stream: 'tasks.sent:stream',
    'x-api-key': 'requests.credential-header requests.credential-on-counts',
    'vendorA-version': 'requests.credential-header requests.credential-on-counts',
  },
  generative: {
    maxOutputTokens: 'requests.output-limit-set',
    'x-vendorB-api-key': 'requests.credential-header requests.credential-on-counts',
  },
  systemone: { authorization: 'requests.credential-header' },
};

const memberDefects = protocols.flatMap((protocol) =>
  Object.entries({
    ...members[protocol],
    'content-type': `requests.content-type:${protocol}`,
  }).flatMap(([name, rows]) =>
    // A run that nobody streams may end before it is taken up.
    tabled(
      `without-${name}@${protocol} | ${rows} | It leaves out \`${name}\`. | ${name === 'stream' ? 'tasks.outcome:completed' : ''}`,
    ),
  ),
);

/** Defects in the requests of a client. */
export const requestDefects: readonly ClientDefect[] = [
  memberDefects,
  tabled(`
hot | requests.accepted | It sends a text where a number has to stand.
drops-path | requests.paths | It drops the path of the address that it is given.
no-limit-in-streams | requests.output-limit-set | It leaves the output limit of streams to the gateway.
no-limit-in-tasks | requests.output-limit-set | It sets no limit where a response is stored.
lists-without-key | requests.credential-header | It lists models without its key.
key-in-another-header | requests.key-in-header-only | It shows its key in a second header.
prints-key | requests.key-in-header-only | It prints its key.
key-in-query | requests.key-in-header-only | It puts its key into the query, too.
key-in-path | requests.key-in-header-only | It puts its key into the path of another request.
key-in-body | requests.key-in-header-only | It puts its key into the body, too.
key-in-referer | requests.key-in-header-only | It puts its key into \`Referer\`.
wrong-header | requests.credential-header requests.credential-on-counts | It shows its key in the same header, whatever the protocol.
raw-ids | requests.response-id-encoded | It puts the id of a response into the path as it is.
model-encoded-in-bodies | requests.model-id-encoded requests.accepted | It encodes the id of a model in a body, too.
encodes-parents | requests.response-id-encoded:continue | It encodes the id of the response that it continues in the body.
ids-encoded-twice | requests.response-id-encoded | It encodes the id of a response twice.
knows-models | requests.models-as-listed tasks.sent:list | It names models without a look at the list.
background-unstored | requests.background-stores | It asks for the background without storage.
first-region | requests.original-region | It sends everything to the first region.
continues-here | requests.original-region | It continues a response in the region where it is.
polls-at-once | background.polls:pace | It polls without a pause.
ignores-retry-after | background.polls:retry-after | It polls at its own pace, whatever \`Retry-After\` says.
cancels-with-body | background.cancel-without-body | It sends a body with a cancel.
follows-with-key | requests.no-key-to-others:responses | It shows its key to another host that it is redirected to.
content-is-text | requests.content-type:responses | It says that its bodies are plain text.
polls-after-end | background.polls:failed,cancelled,incomplete | It goes on polling when the response has ended.
knows-no-failed | background.polls:failed tasks.bounded | It does not know that a response has ended as failed.
knows-no-cancelled | background.polls:cancelled tasks.bounded | It does not know that a response has ended as cancelled.
knows-no-incomplete | background.polls:incomplete tasks.bounded | It does not know that a response has ended as incomplete.
bearer-on-messages@messages | requests.credential-header requests.credential-on-counts | It shows its key to Messages as to the others.
version-elsewhere@messages | requests.credential-header requests.credential-on-counts | It names the version of Messages in a header of its own.
no-version-on-counts@messages | requests.credential-on-counts | It leaves out the version header where it counts.
counts-with-bearer@generative | requests.credential-on-counts | It shows its key to a count as to Responses.
wrong-base@generative | requests.paths | It puts the base address with \`/v1\` before a path under \`/v1beta\`.
raw-model@generative | requests.model-id-encoded | It puts the id of a model into the path as it is.
raw-model-in-streams@generative | requests.model-id-encoded | It does so where it asks for a stream.
raw-model-in-counts@generative | requests.model-id-encoded | It does so where it counts.
limits-everything@systemone | requests.output-limit-set | It sets an output limit on System One, too.
doubled-slash@chat-completions | requests.paths tasks.sent:list | It puts a slash between a base address that ends with one and its paths.
`),
].flat();
