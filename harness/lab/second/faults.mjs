// Faults of this gateway, each by the name of its switch: what is wrong, and the checks among which one has to
// notice it; null where none does.

export const faults = {
  'key-by-prefix': {
    what: 'keys are looked up by their first 20 characters',
    noticedBy: 'access/credentials.altered-key-refused:responses.changed',
  },
  'connection-remembers-key': {
    what: 'a connection on which a key was shown needs none any more',
    noticedBy: 'access/ways.key-required:lookup',
  },
  'permission-at-creation': {
    what: 'the permission for its model is asked for when a response is made, and not when it is looked up',
    noticedBy: 'access/permissions.lookup-needs-model:lookup',
  },
  'one-store': {
    what: 'all regions share one map of stored responses',
    noticedBy: 'access/regions.other-region-denied:lookup',
  },
  'same-request-same-response': {
    what: 'a response is found again by the hash of its body, without the user',
    noticedBy: 'access/owners.identical-requests-separate',
  },
  'refusal-recorded': {
    what: 'the ledger is written before the channel is asked for its capabilities',
    noticedBy: [
      'metering/ledger.forbidden-not-run',
      'access/capabilities.unsupported-refused:background',
    ],
  },
  'count-recorded-as-generation': {
    what: 'a count is recorded, and charged, as a generation',
    noticedBy: 'metering/ledger.counting-free:input-tokens',
  },
  'renumbered-recovery': {
    what: 'recovered events are numbered anew',
    noticedBy: 'interruption/recovery.only-later-events',
  },
  'recovery-from-the-number': {
    what: 'recovery begins with the event of the number, not behind it',
    noticedBy: 'interruption/recovery.only-later-events',
  },
  'events-share-the-response': {
    what: 'the events of the past show the response as it is now',
    // The grammar of streams does not hold the output of `response.created` against the items that follow.
    noticedBy: null,
  },
  'page-after-includes': {
    what: 'a page of input items begins with the item that `after` names',
    noticedBy: 'storage/responses.input-items-pages',
  },
  'more-when-full': {
    what: 'a full page of input items says that there are more',
    noticedBy: 'storage/responses.input-items-pages',
  },
  'cancelled-writes-on': {
    what: 'a cancelled run writes on, and ends as completed',
    noticedBy: 'background/cancel.run-ends',
  },
  'deleted-continues-from-memory': {
    what: 'a continuation looks into a memory that deletion does not know',
    noticedBy: 'storage/deletion.denies-afterwards:continue',
  },
  'dropped-stream-stops-background': {
    what: 'a background run is stopped when its stream is dropped',
    noticedBy: 'interruption/connection.background-continues',
  },
  'dropped-unstored-kept': {
    what: 'a stream with `store: false` that its client dropped is kept for it',
    // No run drops a stream of Responses that is not stored: that would cost one more generation.
    noticedBy: null,
  },
  'history-of-one-turn': {
    what: 'a continuation reads the turn before it alone',
    noticedBy: 'storage/continuation.carries-context',
  },
  'history-grows-for-all': {
    what: 'a continuation adds its turns to the history of what it continues',
    noticedBy: 'storage/continuation.branches',
  },
  'instructions-in-history': {
    what: 'the instructions become a turn of the history',
    noticedBy: 'storage/continuation.instructions-left-behind',
  },
  'socket-memory-of-user': {
    what: 'what a connection remembers, all connections of the user remember',
    noticedBy: 'websocket/connection.history-ends-with-connection:other-connection',
  },
  'socket-turns-at-once': {
    what: 'a turn of a connection does not wait for the one before',
    noticedBy: 'websocket/connection.no-interleaving',
  },
  'socket-keeps-failed': {
    what: 'a response stays in the memory of a connection when its continuation failed',
    noticedBy: 'websocket/connection.failed-continuation-evicted',
  },
  'length-in-characters': {
    what: '`content-length` counts characters, not bytes',
    noticedBy: 'generation/compact.shape',
  },
  'deltas-of-units': {
    what: 'deltas are split between the two halves of a letter beyond the basic plane',
    noticedBy: [
      'everywhere/answers.whole-letters:responses',
      'generation/asked.served-together:responses',
    ],
  },
  'stop-sequence-shown': {
    what: 'a text ends behind its stop sequence, not before it',
    noticedBy: 'generation/asked.stop-kept:messages',
  },
  'thoughts-beyond-limit': {
    what: 'thoughts are counted in the usage, and not in the limit',
    noticedBy: [
      'generation/limits.kept-in-every-answer:responses',
      'generation/asked.served-together:responses',
    ],
  },
  'calls-at-one-index': {
    what: 'all calls of a chat stream have the index 0',
    noticedBy: 'generation/tools.shape:chat-completions-stream',
  },
  'blocks-by-kind': {
    what: 'the blocks of a message stream are numbered for each kind',
    noticedBy: [
      'generation/messages-stream.indexes-in-order',
      'generation/tools.shape:messages-stream',
    ],
  },
  'thoughts-as-text': {
    what: 'generative-content shows thoughts as text',
    noticedBy: [
      'generation/asked.done-in-every-answer:generative',
      'generation/asked.served-together:generative',
    ],
  },
  'first-candidate-counted': {
    what: 'the usage of several candidates is that of the first',
    noticedBy: [
      'metering/ledger.record-matches-usage:chat-completions',
      'generation/asked.supported-served:chat-completions.candidates',
    ],
  },
  'first-colon': {
    what: 'the action of a path begins at the first colon of its decoded segment',
    noticedBy: 'models/path.special-characters:generate-content',
  },
  'page-token-carries-role': {
    what: 'a page token carries the permissions of the key that it was given to',
    noticedBy: 'models/catalog.page-token-bound-to-key',
  },
};
