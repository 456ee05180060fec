import type { ClientVariation } from './variation.ts';

/** Legal variations of a client. No check may blame one or leave it undecided. */
export const legalClients: readonly ClientVariation[] = [
  {
    id: 'idempotency-key',
    what: 'It names a key for each request, and sends none again.',
  },
  {
    id: 'lists-first',
    what: 'It asks for the list of models before anything else.',
  },
  {
    id: 'probes-first',
    what: 'It sends HEAD and OPTIONS before anything else.',
  },
  {
    id: 'asks-for-a-title',
    what: 'It asks for another text besides.',
  },
  {
    id: 'keeps-connections',
    what: 'It keeps its connections.',
  },
  {
    id: 'sends-chunks',
    what: 'It sends bodies in chunks, without their length.',
  },
  {
    id: 'expects-continue',
    what: 'It waits for `100 Continue` before it sends a body.',
  },
  {
    id: 'lower-case-scheme',
    what: 'It writes `bearer` in lower case.',
  },
  {
    id: 'names-charset',
    what: 'It says that its JSON is UTF-8.',
  },
  {
    id: 'names-itself',
    what: 'It sends headers of its own.',
  },
  {
    id: 'publishers-names',
    what: 'It has the publishers’ names in its headers.',
  },
  {
    id: 'looks-up-first',
    what: 'It generates again only after it has looked up what it stored.',
  },
  {
    id: 'recovers-early',
    what: 'It takes up a stream one event too early, and drops what it has.',
  },
  {
    id: 'looks-up-broken',
    what: 'It looks up the response whose stream broke, and takes up none.',
  },
  {
    id: 'looks-up-refused',
    what: 'It looks up the response where it is refused to go on.',
  },
  {
    id: 'looks-once-more',
    what: 'It looks once more at a response that has ended.',
  },
  {
    id: 'gives-up-polling',
    what: 'It gives up when a poll is put off.',
  },
  {
    id: 'follows-without-key',
    what: 'It follows a redirect without its key.',
  },
  {
    id: 'encodes-everything',
    what: 'It encodes what needs not be.',
  },
  {
    id: 'always-streams',
    what: 'It asks for a stream, whatever it is asked for.',
  },
  {
    id: 'never-streams',
    what: 'It knows no streams.',
  },
  {
    id: 'waits-first',
    what: 'It does nothing for a while.',
  },
];
