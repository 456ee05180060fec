import { protocols } from '../../../kernel/core/index.ts';
import type { ClientDefect } from './variation.ts';

/** Defects in the requests of a client. */
export const requestDefects: readonly ClientDefect[] = [
  {
    id: 'wrong-header',
    what: 'It shows its key in the same header, whatever the protocol.',
    breaks: ['client/requests.credential-header', 'client/requests.credential-on-counts'],
  },
  {
    id: 'bearer-on-messages',
    what: 'It shows its key to Messages as to the others.',
    breaks: ['client/requests.credential-header', 'client/requests.credential-on-counts'],
    speaks: ['messages'],
  },
  {
    id: 'no-version',
    what: 'It leaves out the version header of Messages.',
    breaks: ['client/requests.credential-header', 'client/requests.credential-on-counts'],
    speaks: ['messages'],
  },
  {
    id: 'no-version-on-counts',
    what: 'It leaves out the version header where it counts.',
    breaks: ['client/requests.credential-on-counts'],
    speaks: ['messages'],
  },
  {
    id: 'counts-with-bearer',
    what: 'It shows its key to a count as to Responses.',
    breaks: ['client/requests.credential-on-counts'],
    speaks: ['generative'],
  },
  {
    id: 'key-in-query',
    what: 'It puts its key into the query, too.',
    breaks: ['client/requests.key-in-header-only'],
  },
  {
    id: 'key-in-path',
    what: 'It puts its key into the path of another request.',
    breaks: ['client/requests.key-in-header-only'],
  },
  {
    id: 'key-in-body',
    what: 'It puts its key into the body, too.',
    breaks: ['client/requests.key-in-header-only'],
  },
  {
    id: 'key-in-referer',
    what: 'It puts its key into `Referer`.',
    breaks: ['client/requests.key-in-header-only'],
  },
  {
    id: 'follows-with-key',
    what: 'It shows its key to another host that it is redirected to.',
    breaks: ['client/requests.no-key-to-others'],
  },
  {
    id: 'no-limit',
    what: 'It leaves the output limit to the gateway.',
    breaks: ['client/requests.output-limit-set'],
    speaks: ['responses', 'chat-completions', 'messages', 'generative'],
  },
  {
    id: 'no-limit-in-streams',
    what: 'It leaves the output limit of streams to the gateway.',
    breaks: ['client/requests.output-limit-set'],
  },
  {
    id: 'limits-everything',
    what: 'It sets an output limit on System One, too.',
    breaks: ['client/requests.output-limit-set'],
    speaks: ['systemone'],
  },
  {
    id: 'wrong-base',
    what: 'It puts the base address with `/v1` before a path under `/v1beta`.',
    breaks: ['client/requests.paths'],
    speaks: ['generative'],
  },
  {
    id: 'doubled-slash',
    what: 'It puts a slash between a base address that ends with one and its paths.',
    breaks: ['client/requests.paths'],
    speaks: ['chat-completions'],
  },
  {
    id: 'raw-model',
    what: 'It puts the id of a model into the path as it is.',
    breaks: ['client/requests.model-id-encoded'],
    speaks: ['generative'],
  },
  {
    id: 'raw-ids',
    what: 'It puts the id of a response into the path as it is.',
    breaks: ['client/requests.response-id-encoded'],
  },
  {
    id: 'ids-encoded-twice',
    what: 'It encodes the id of a response twice.',
    breaks: ['client/requests.response-id-encoded'],
  },
  {
    id: 'no-content-type',
    what: 'It does not say what its bodies are.',
    breaks: ['client/requests.content-type:responses'],
  },
  {
    id: 'content-is-text',
    what: 'It says that its bodies are plain text.',
    breaks: protocols.map((one) => `client/requests.content-type:${one}`),
    speaks: protocols,
  },
  {
    id: 'store-unsaid',
    what: 'It does not say whether a response is to be stored.',
    breaks: ['client/requests.store-said'],
  },
  {
    id: 'knows-models',
    what: 'It names models without a look at the list.',
    breaks: ['client/requests.models-as-listed'],
  },
  {
    id: 'background-unstored',
    what: 'It asks for the background without storage.',
    breaks: ['client/requests.background-stores'],
  },
  {
    id: 'first-region',
    what: 'It sends everything to the first region.',
    breaks: ['client/requests.original-region'],
  },
  {
    id: 'continues-here',
    what: 'It continues a response in the region where it is.',
    breaks: ['client/requests.original-region'],
  },
  {
    id: 'polls-at-once',
    what: 'It polls without a pause.',
    breaks: ['client/background.polls:pace'],
  },
  {
    id: 'ignores-retry-after',
    what: 'It polls at its own pace, whatever `Retry-After` says.',
    breaks: ['client/background.polls:retry-after'],
  },
  {
    id: 'polls-after-end',
    what: 'It goes on polling when the response has ended.',
    breaks: [
      'client/background.polls:failed',
      'client/background.polls:cancelled',
      'client/background.polls:incomplete',
    ],
  },
  {
    id: 'knows-no-failed',
    what: 'It does not know that a failed response has ended.',
    breaks: ['client/background.polls:failed'],
  },
  {
    id: 'knows-no-cancelled',
    what: 'It does not know that a cancelled response has ended.',
    breaks: ['client/background.polls:cancelled'],
  },
  {
    id: 'knows-no-incomplete',
    what: 'It does not know that an incomplete response has ended.',
    breaks: ['client/background.polls:incomplete'],
  },
  {
    id: 'cancels-with-body',
    what: 'It sends a body with a cancel.',
    breaks: ['client/background.cancel-without-body'],
  },
];
