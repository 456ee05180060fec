import { protocols, streamingProtocols } from '../../../kernel/core/index.ts';
import { type ClientDefect, defects, each } from './variation.ts';

/** Defects in the requests of a client. */
export const requestDefects: readonly ClientDefect[] = [
  defects({
    breaks: ['requests.accepted'],
    clients: { hot: 'It sends a text where a number has to stand.' },
  }),
  defects({
    breaks: ['requests.paths'],
    clients: { 'drops-path': 'It drops the path of the address that it is given.' },
  }),
  defects({
    breaks: ['requests.output-limit-set'],
    clients: {
      'no-limit-in-streams': 'It leaves the output limit of streams to the gateway.',
      'no-limit-in-tasks': 'It sets no limit where a response is stored.',
    },
  }),
  defects({
    breaks: ['requests.credential-header'],
    clients: { 'lists-without-key': 'It lists models without its key.' },
  }),
  defects({
    breaks: ['requests.key-in-header-only'],
    clients: {
      'key-in-another-header': 'It shows its key in a second header.',
      'prints-key': 'It prints its key.',
      'key-in-query': 'It puts its key into the query, too.',
      'key-in-path': 'It puts its key into the path of another request.',
      'key-in-body': 'It puts its key into the body, too.',
      'key-in-referer': 'It puts its key into `Referer`.',
    },
  }),
  defects({
    breaks: ['requests.credential-header', 'requests.credential-on-counts'],
    clients: { 'wrong-header': 'It shows its key in the same header, whatever the protocol.' },
  }),
  defects({
    breaks: ['requests.credential-header', 'requests.credential-on-counts'],
    speaks: ['messages'],
    clients: {
      'bearer-on-messages': 'It shows its key to Messages as to the others.',
      'no-version': 'It leaves out the version header of Messages.',
    },
  }),
  defects({
    breaks: ['requests.credential-on-counts'],
    speaks: ['messages'],
    clients: { 'no-version-on-counts': 'It leaves out the version header where it counts.' },
  }),
  defects({
    breaks: ['requests.credential-on-counts'],
    speaks: ['generative'],
    clients: { 'counts-with-bearer': 'It shows its key to a count as to Responses.' },
  }),
  defects({
    breaks: ['requests.no-key-to-others'],
    clients: { 'follows-with-key': 'It shows its key to another host that it is redirected to.' },
  }),
  defects({
    breaks: ['requests.output-limit-set'],
    speaks: streamingProtocols,
    clients: { 'no-limit': 'It leaves the output limit to the gateway.' },
  }),
  defects({
    breaks: ['requests.output-limit-set'],
    speaks: ['systemone'],
    clients: { 'limits-everything': 'It sets an output limit on System One, too.' },
  }),
  defects({
    breaks: ['requests.paths'],
    speaks: ['generative'],
    clients: { 'wrong-base': 'It puts the base address with `/v1` before a path under `/v1beta`.' },
  }),
  defects({
    breaks: ['requests.paths'],
    speaks: ['chat-completions'],
    clients: {
      'doubled-slash': 'It puts a slash between a base address that ends with one and its paths.',
    },
  }),
  defects({
    breaks: ['requests.model-id-encoded'],
    speaks: ['generative'],
    clients: {
      'raw-model': 'It puts the id of a model into the path as it is.',
      'raw-model-in-streams': 'It does so where it asks for a stream.',
      'raw-model-in-counts': 'It does so where it counts.',
    },
  }),
  defects({
    breaks: ['requests.model-id-encoded', 'requests.accepted'],
    clients: { 'model-encoded-in-bodies': 'It encodes the id of a model in a body, too.' },
  }),
  defects({
    breaks: ['requests.response-id-encoded:continue'],
    clients: {
      'encodes-parents': 'It encodes the id of the response that it continues in the body.',
    },
  }),
  defects({
    breaks: ['requests.credential-header', 'requests.credential-on-counts'],
    speaks: ['messages'],
    clients: { 'version-elsewhere': 'It names the version of Messages in a header of its own.' },
  }),
  defects({
    breaks: ['requests.response-id-encoded'],
    clients: {
      'raw-ids': 'It puts the id of a response into the path as it is.',
      'ids-encoded-twice': 'It encodes the id of a response twice.',
    },
  }),
  defects({
    breaks: ['requests.content-type:responses'],
    clients: { 'no-content-type': 'It does not say what its bodies are.' },
  }),
  defects({
    breaks: each('requests.content-type', protocols),
    speaks: protocols,
    clients: { 'content-is-text': 'It says that its bodies are plain text.' },
  }),
  defects({
    breaks: ['requests.store-said'],
    clients: { 'store-unsaid': 'It does not say whether a response is to be stored.' },
  }),
  defects({
    breaks: ['requests.models-as-listed'],
    clients: { 'knows-models': 'It names models without a look at the list.' },
  }),
  defects({
    breaks: ['requests.background-stores'],
    clients: { 'background-unstored': 'It asks for the background without storage.' },
  }),
  defects({
    breaks: ['requests.original-region'],
    clients: {
      'first-region': 'It sends everything to the first region.',
      'continues-here': 'It continues a response in the region where it is.',
    },
  }),
  defects({
    breaks: ['background.polls:pace'],
    clients: { 'polls-at-once': 'It polls without a pause.' },
  }),
  defects({
    breaks: ['background.polls:retry-after'],
    clients: { 'ignores-retry-after': 'It polls at its own pace, whatever `Retry-After` says.' },
  }),
  defects({
    breaks: each('background.polls', ['failed', 'cancelled', 'incomplete']),
    clients: { 'polls-after-end': 'It goes on polling when the response has ended.' },
  }),
  ...['failed', 'cancelled', 'incomplete'].map((state) =>
    defects({
      breaks: [`background.polls:${state}`],
      clients: { [`knows-no-${state}`]: `It does not know that a response has ended as ${state}.` },
    }),
  ),
  defects({
    breaks: ['background.cancel-without-body'],
    clients: { 'cancels-with-body': 'It sends a body with a cancel.' },
  }),
].flat();
