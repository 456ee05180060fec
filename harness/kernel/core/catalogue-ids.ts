/** Values of the axes in `fixtures/requirements/axes.yaml`. */
interface AxisValues {
  'protocol': 'responses' | 'chat-completions' | 'messages' | 'generative' | 'systemone';
  'streaming-protocol': 'responses' | 'chat-completions' | 'messages' | 'generative';
  'call-form': 'responses' | 'chat-completions' | 'messages' | 'generative' | 'responses-stream' |
    'chat-completions-stream' | 'messages-stream' | 'generative-stream';
  'message-made': 'one-body' | 'stream' | 'asked-to-store';
  'endpoint': 'responses' | 'chat-completions' | 'messages' | 'messages-count-tokens' |
    'generate-content' | 'stream-generate-content' | 'count-tokens' | 'alternate-path' | 'systemone'
    | 'models' | 'catalog' | 'lookup' | 'input-items' | 'cancel' | 'delete' | 'compact' |
    'input-tokens' | 'websocket';
  'model-endpoint': 'responses' | 'chat-completions' | 'messages' | 'messages-count-tokens' |
    'generate-content' | 'stream-generate-content' | 'count-tokens' | 'alternate-path' | 'systemone'
    | 'compact' | 'input-tokens' | 'websocket';
  'body-endpoint': 'responses' | 'chat-completions' | 'messages' | 'messages-count-tokens' |
    'generate-content' | 'stream-generate-content' | 'count-tokens' | 'alternate-path' | 'systemone'
    | 'compact' | 'input-tokens';
  'model-in-body': 'responses' | 'chat-completions' | 'messages' | 'messages-count-tokens' |
    'systemone' | 'compact' | 'input-tokens' | 'websocket';
  'action': 'generate-content' | 'stream-generate-content' | 'count-tokens';
  'stored-op': 'lookup' | 'input-items' | 'continue' | 'continue-websocket' | 'recover' | 'cancel' |
    'delete';
  'capability': 'background' | 'compact' | 'input_tokens' | 'websocket' | 'count_tokens' |
    'vendorb-count' | 'stream-responses' | 'stream-chat-completions' | 'stream-messages' |
    'stream-generative';
  'credential-header': 'bearer' | 'x-api-key' | 'vendorb-api-key';
  'creation-mode': 'responses-stream' | 'chat-completions-stream' | 'messages-stream' |
    'generative-stream' | 'websocket' | 'background' | 'continuation' | 'alternate-path' |
    'alternate-path-stream' | 'snake-case';
  'generation-mode': 'responses' | 'chat-completions' | 'messages' | 'generative' | 'systemone' |
    'responses-stream' | 'chat-completions-stream' | 'messages-stream' | 'generative-stream' |
    'websocket' | 'background' | 'continuation';
  'asked': 'stop' | 'structured-output' | 'logprobs' | 'candidates' | 'images' | 'tool-choice' |
    'no-call' | 'tools';
  'sides': 'chat-completions' | 'messages' | 'chat-completions-to-messages' |
    'messages-to-chat-completions';
  'chat-front': 'chat-completions' | 'chat-completions-to-messages';
  'messages-back': 'messages' | 'chat-completions-to-messages';
}

/**
 * The frozen ids of the catalogue: of each row its level, or the values of its axis by level. Made from
 * `fixtures/requirements/` by `npx vitest run --project harness harness/kernel/core -u`. An id names one
 * requirement for good: it is never renamed, and never used again.
 */
export interface CheckedIds {
  'access/capabilities.offered-served': { MUST: AxisValues['capability'] };
  'access/capabilities.unsupported-refused': { MUST: AxisValues['capability'] };
  'access/capabilities.undeclared-but-served': { MAY: AxisValues['capability'] };
  'access/credentials.key-required': { MUST: AxisValues['endpoint'] };
  'access/credentials.unknown-key-refused': { MUST: AxisValues['endpoint'] };
  'access/credentials.recovery-needs-key': { MUST: 'none' | 'unknown' };
  'access/credentials.own-header-served': { MUST: Exclude<AxisValues['endpoint'], 'chat-completions'
    | 'systemone' | 'models'>; SHOULD: 'chat-completions' | 'systemone' | 'models' };
  'access/credentials.foreign-header-refused': { SHOULD: Exclude<`${Exclude<AxisValues['endpoint'],
    'chat-completions' | 'systemone' | 'models'>}.${AxisValues['credential-header']}`,
    'responses.bearer' | 'messages.x-api-key' | 'messages-count-tokens.x-api-key' |
    'generate-content.vendorb-api-key' | 'stream-generate-content.vendorb-api-key' |
    'count-tokens.vendorb-api-key' | 'alternate-path.vendorb-api-key' | 'catalog.vendorb-api-key' |
    'lookup.bearer' | 'input-items.bearer' | 'cancel.bearer' | 'delete.bearer' | 'compact.bearer' |
    'input-tokens.bearer' | 'websocket.bearer'> };
  'access/credentials.altered-key-refused': { MUST: `${AxisValues['protocol']}.${'changed' |
    'longer' | 'shorter' | 'empty'}`; SHOULD: `${AxisValues['protocol']}.other-case` };
  'access/credentials.own-header-decides': { SHOULD: 'responses.x-api-key' |
    'responses.vendorb-api-key' | 'messages.bearer' | 'messages.vendorb-api-key' |
    'generative.bearer' | 'generative.x-api-key' };
  'access/credentials.messages-version-required': { MUST: 'messages' | 'messages-count-tokens' };
  'access/credentials.two-reasons-refused': { MUST: AxisValues['model-endpoint'] };
  'access/credentials.version-is-a-date': { SHOULD: 'messages' | 'messages-count-tokens' };
  'access/credentials.query-key-refused': { SHOULD: Exclude<AxisValues['protocol'], 'generative'>;
    MAY: 'generative' };
  'access/credentials.bearer-scheme-required': 'SHOULD';
  'access/credentials.key-not-echoed': 'SHOULD';
  'access/credentials.no-key-shown': 'SHOULD';
  'access/owners.other-user-denied': { MUST: AxisValues['stored-op'] };
  'access/owners.running-denied': { MUST: AxisValues['stored-op'] };
  'access/owners.key-required': { MUST: AxisValues['stored-op'] };
  'access/owners.two-reasons-denied': { MUST: 'key-region' | 'deleted-key' | 'deleted-region' |
    'expired-key' | 'expired-region' | 'unstored-key' | 'unstored-region' };
  'access/owners.indirect-access-denied': { MUST: 'compact' | 'input-tokens' | 'item-reference' };
  'access/owners.other-bodies-denied': { MUST: 'chat-completions' | 'generative' };
  'access/owners.identical-requests-separate': 'MUST';
  'access/owners.same-user-served': { MUST: 'lookup' | 'input-items' | 'continue'; SHOULD:
    'continue-websocket' | 'recover' | 'cancel' | 'delete' };
  'access/owners.denial-matches-unknown-id': 'SHOULD';
  'access/owners.denied-at-the-end': 'MUST';
  'access/permissions.unpermitted-model-refused': { MUST: AxisValues['model-endpoint'] };
  'access/permissions.continue-under-another-model': 'SHOULD';
  'access/permissions.later-turn-refused': { MUST: 'continue' | 'continue-websocket' };
  'access/permissions.indirect-access-denied': { MUST: 'compact' | 'input-tokens' | 'item-reference'
    };
  'access/permissions.lookup-needs-model': { MUST: 'lookup' | 'input-items' | 'continue' |
    'continue-websocket'; SHOULD: 'recover' | 'cancel' | 'delete' };
  'access/permissions.running-needs-model': { MUST: 'lookup' | 'input-items' | 'continue' |
    'continue-websocket'; SHOULD: 'recover' | 'cancel' | 'delete' };
  'access/protocols.declared-served': { MUST: AxisValues['protocol'] };
  'access/protocols.undeclared-refused': { MUST: Exclude<AxisValues['model-endpoint'],
    'chat-completions' | 'systemone'>; SHOULD: 'chat-completions' | 'systemone' };
  'access/protocols.later-turn-refused': { MUST: 'continue' | 'continue-websocket' };
  'access/protocols.further-turns-refused': { MUST: 'unknown-model' | 'lacking-model' };
  'access/protocols.unknown-model-refused': { MUST: AxisValues['model-endpoint'] };
  'access/protocols.model-required': { MUST: Exclude<AxisValues['model-in-body'], 'compact' |
    'input-tokens' | 'websocket'>; SHOULD: 'compact' | 'input-tokens' | 'websocket' };
  'access/protocols.left-out': { MAY: AxisValues['protocol'] };
  'access/regions.other-region-denied': { MUST: Exclude<AxisValues['stored-op'], 'cancel' |
    'delete'>; SHOULD: 'cancel' | 'delete' };
  'access/regions.running-denied': { MUST: Exclude<AxisValues['stored-op'], 'cancel' | 'delete'>;
    SHOULD: 'cancel' | 'delete' };
  'access/regions.original-region-served': 'MUST';
  'access/regions.indirect-access-denied': { SHOULD: 'compact' | 'input-tokens' | 'item-reference'
    };
  'access/ways.key-required': { MUST: 'models' | 'lookup' | 'responses' | 'chat-completions' |
    'messages' | 'generate-content' };
  'access/ways.unpermitted-refused': { MUST: 'responses' | 'chat-completions' | 'messages' |
    'messages-count-tokens' | 'generate-content' | 'count-tokens' };
  'access/ways.undeclared-refused': { MUST: 'responses' | 'messages' | 'messages-count-tokens' |
    'generate-content' | 'count-tokens'; SHOULD: 'chat-completions' };
  'access/ways.other-user-denied': { MUST: 'lookup' | 'input-items' | 'responses' };
  'access/ways.unavailable-denied': { MUST: `${'deleted' | 'unstored' | 'other-region'}.${'lookup' |
    'input-items' | 'responses'}` };
  'background/cancel.no-body-served': 'MUST';
  'background/cancel.stops-run': 'MUST';
  'background/cancel.stops-run-in-region': 'MUST';
  'background/cancel.run-ends': 'MUST';
  'background/cancel.still-stored': 'MUST';
  'background/cancel.leaves-others': 'MUST';
  'background/cancel.shape': 'MUST';
  'background/cancel.repeat-served': 'SHOULD';
  'background/cancel.finished-unchanged': 'SHOULD';
  'background/cancel.foreground-refused': 'SHOULD';
  'background/cancel.cancelled-at-the-end': 'MUST';
  'background/runs.accepted': 'MUST';
  'background/runs.pending-first': 'SHOULD';
  'background/runs.polling-ends': 'MUST';
  'background/runs.ends-with-its-stream': 'MUST';
  'background/runs.terminal-status-kept': 'MUST';
  'background/runs.same-response': 'MUST';
  'background/runs.result-complete': 'MUST';
  'background/runs.needs-store': 'MUST';
  'background/runs.store-omitted': 'MAY';
  'background/runs.streams': 'SHOULD';
  'client/answers.told-whole': { MUST: AxisValues['protocol'] };
  'client/answers.stream-told-whole': { MUST: AxisValues['streaming-protocol'] };
  'client/answers.text-alone': { MUST: 'thoughts' | 'calls'; SHOULD: 'refusals' };
  'client/answers.cut-at-limit': 'SHOULD';
  'client/background.polls': { SHOULD: 'pace' | 'retry-after' | 'failed' | 'cancelled' |
    'incomplete' };
  'client/background.cancel-without-body': 'SHOULD';
  'client/errors.no-answer': { MUST: '400' | '401' | '403' | '404' | '408' | '409' | '413' | '422' |
    '429' | '500' | '503' | '504' | '529' | 'page' };
  'client/errors.broken-no-answer': { MUST: 'reset' | 'no-answer' | 'cut-body' | 'cut-stream' |
    'stall' | 'hang-up' };
  'client/errors.distinguished': 'SHOULD';
  'client/errors.in-stream': { MUST: 'responses' | 'messages'; SHOULD: 'chat-completions' |
    'generative' };
  'client/recovery.from-the-last-event': 'MUST';
  'client/recovery.gives-up': 'SHOULD';
  'client/recovery.cut-again': 'MUST';
  'client/requests.credential-header': 'MUST';
  'client/requests.output-limit-set': 'MUST';
  'client/requests.accepted': 'MUST';
  'client/requests.paths': 'MUST';
  'client/requests.model-id-encoded': 'MUST';
  'client/requests.background-stores': 'MUST';
  'client/requests.original-region': 'MUST';
  'client/requests.key-in-header-only': 'MUST';
  'client/requests.no-key-to-others': { MUST: 'responses' | 'chat-completions' | 'systemone';
    SHOULD: 'messages' | 'generative' };
  'client/requests.known-queries': 'SHOULD';
  'client/requests.credential-on-counts': 'MUST';
  'client/requests.content-type': { MUST: 'responses'; SHOULD: Exclude<AxisValues['protocol'],
    'responses'> };
  'client/requests.response-id-encoded': { MUST: 'lookup' | 'input-items' | 'cancel' | 'delete' |
    'continue' };
  'client/requests.store-said': 'SHOULD';
  'client/requests.models-as-listed': 'SHOULD';
  'client/retries.none-when-uncertain': { MUST: 'reset' | 'no-answer' | 'cut-body' | 'cut-stream' |
    'stall' | 'ends-early' };
  'client/retries.none-at-all': { SHOULD: 'refused' | '400' | '401' | '403' | '404' | '408' | '409'
    | '413' | '422' | '429' | '500' | '502' | '503' | '504' | '529' | 'error-in-stream' };
  'client/retries.lookup-before-resend': 'MUST';
  'client/stream.event-by-event': 'MUST';
  'client/stream.own-parser': 'MUST';
  'client/stream.no-end-is-no-answer': { MUST: AxisValues['streaming-protocol'] };
  'client/stream.unknown-tolerated': 'SHOULD';
  'client/tasks.sent': { MUST: 'store' | 'continue' | 'background' | 'converse' | 'lookup' |
    'input-items' | 'cancel' | 'delete'; SHOULD: 'stream' | 'recover' | 'count' | 'list' };
  'client/tasks.no-more': { SHOULD: 'store' | 'continue' | 'background' | 'converse' | 'lookup' |
    'input-items' | 'cancel' | 'delete' | 'count' | 'list' };
  'client/tasks.outcome': { MUST: 'completed' | 'failed' | 'cancelled' | 'running'; SHOULD:
    'incomplete' | 'served' };
  'client/tasks.bounded': 'SHOULD';
  'counting/generative.shape': 'MUST';
  'counting/generative.grows-with-input': 'SHOULD';
  'counting/generative.equals-usage': 'MAY';
  'counting/input.counted': { MUST: `${'messages-count-tokens' | 'count-tokens' | 'alternate-path' |
    'input-tokens'}.${'system' | 'tools' | 'earlier-turns'}` };
  'counting/messages.shape': 'MUST';
  'counting/messages.no-max-tokens-needed': 'MUST';
  'counting/messages.grows-with-input': 'SHOULD';
  'counting/messages.equals-usage': 'MAY';
  'counting/responses.shape': 'MUST';
  'counting/responses.grows-with-input': 'SHOULD';
  'counting/responses.equals-usage': 'SHOULD';
  'everywhere/answers.ids-unique': { SHOULD: 'output-items' | 'tool-calls' };
  'everywhere/answers.times-in-run': { SHOULD: 'responses' | 'chat-completions' };
  'everywhere/answers.asked-model': { SHOULD: AxisValues['streaming-protocol'] };
  'everywhere/answers.echo': { SHOULD: 'store' | 'background' | 'max_output_tokens' |
    'previous_response_id' | 'instructions' | 'metadata' | 'tools' };
  'everywhere/answers.service-goes-on': 'MUST';
  'everywhere/answers.failure-has-error': 'MUST';
  'everywhere/answers.whole-letters': { SHOULD: AxisValues['protocol'] };
  'everywhere/answers.utf-8': { MUST: AxisValues['protocol'] };
  'everywhere/answers.message-ends': { MUST: AxisValues['protocol'] };
  'everywhere/consistent.call-ending-has-call': { MUST: 'chat-completions' | 'messages' };
  'everywhere/consistent.call-has-call-ending': { SHOULD: 'chat-completions' | 'generative' };
  'everywhere/consistent.whole-when-complete': { MUST: 'responses' };
  'everywhere/consistent.items-whole': { MUST: 'responses' | 'messages' };
  'everywhere/consistent.cut-item-last': { SHOULD: 'responses' };
  'everywhere/consistent.limit-told': { MUST: AxisValues['streaming-protocol'] };
  'everywhere/consistent.usage-adds-up': { MUST: AxisValues['protocol'] };
  'everywhere/consistent.usage-of-one-stream': { SHOULD: 'chat-completions' | 'messages' |
    'generative' };
  'everywhere/consistent.usage-of-completed': { SHOULD: 'responses' | 'compact' };
  'everywhere/consistent.input-of-repeats': { SHOULD: AxisValues['streaming-protocol'] };
  'everywhere/consistent.output-shown': { SHOULD: AxisValues['streaming-protocol'] };
  'everywhere/consistent.nothing-unasked': { MUST: 'usage-chunk' | 'candidates'; SHOULD:
    'usage-member' | 'log-probabilities' | 'reasoning' };
  'everywhere/consistent.named-once': { MUST: 'call-id'; SHOULD: 'call-name' | 'answer' };
  'everywhere/consistent.kinds-in-order': { SHOULD: 'chat-completions' | 'messages' };
  'everywhere/content.own-words-only': { MUST: 'responses' | 'chat-completions' | 'messages' |
    'generative' | 'systemone' | 'models' };
  'everywhere/content.denials-show-no-output': 'MUST';
  'everywhere/content.withheld': { MUST: 'no-key' | 'other-user' | 'restricted' | 'deleted' |
    'expired' | 'unstored' };
  'everywhere/content.not-for-shared-caches': 'SHOULD';
  'everywhere/content.no-inner-addresses': 'SHOULD';
  'everywhere/native.body-not-enveloped': { MUST: AxisValues['endpoint'] };
  'everywhere/native.json-unless-asked': { MUST: `${'responses' | 'chat-completions' |
    'messages'}.${'absent' | 'false'}` };
  'everywhere/native.json-content-type': { MUST: 'responses' | 'chat-completions' | 'messages' |
    'messages-count-tokens' | 'models' | 'lookup' | 'input-items' | 'cancel' | 'compact' |
    'input-tokens'; SHOULD: 'generate-content' | 'count-tokens' | 'alternate-path' | 'systemone' |
    'catalog' };
  'everywhere/native.no-byte-order-mark': 'MUST';
  'everywhere/native.members-once': 'SHOULD';
  'everywhere/native.error-content-type': { SHOULD: AxisValues['protocol'] };
  'everywhere/native.created-in-seconds': { MUST: 'responses' | 'chat-completions' | 'compact';
    SHOULD: 'models' };
  'everywhere/native.event-stream-content-type': { MUST: AxisValues['streaming-protocol'] };
  'everywhere/native.no-foreign-events': { MUST: AxisValues['streaming-protocol'] };
  'everywhere/native.last-event-closed': { MUST: 'responses' | 'messages'; SHOULD:
    'chat-completions' };
  'everywhere/native.error-shape': { SHOULD: AxisValues['endpoint'] };
  'everywhere/native.refusal-not-enveloped': { MUST: AxisValues['endpoint'] };
  'everywhere/native.error-fits-status': { SHOULD: 'responses' | 'chat-completions' | 'models' |
    'messages' | 'generative' };
  'everywhere/native.ending-fits-request': { MUST: 'responses' | 'chat-completions' | 'messages';
    SHOULD: 'generative' };
  'everywhere/native.error-before-stream': { SHOULD: AxisValues['streaming-protocol'] };
  'generation/asked.supported-served': { MUST:
    Exclude<`${AxisValues['streaming-protocol']}.${Exclude<AxisValues['asked'], 'no-call'>}`,
    'responses.stop' | 'responses.candidates' | 'messages.logprobs' | 'messages.candidates'> };
  'generation/asked.stop-kept': { MUST: 'chat-completions' | 'messages' | 'generative' };
  'generation/asked.done-in-every-answer': { MUST: AxisValues['streaming-protocol'] };
  'generation/asked.not-ignored': { SHOULD:
    Exclude<`${AxisValues['streaming-protocol']}.${AxisValues['asked']}`, 'responses.stop' |
    'responses.candidates' | 'messages.logprobs' | 'messages.candidates'> };
  'generation/asked.served-together': { SHOULD: AxisValues['streaming-protocol'] };
  'generation/chat-completions-stream.chunk-shape': 'MUST';
  'generation/chat-completions-stream.one-id': 'MUST';
  'generation/chat-completions-stream.call-named-once': 'SHOULD';
  'generation/chat-completions-stream.filter-chunk-shape': 'SHOULD';
  'generation/chat-completions-stream.one-finish': 'MUST';
  'generation/chat-completions-stream.nothing-after-finish': 'MUST';
  'generation/chat-completions-stream.done-is-last': 'MUST';
  'generation/chat-completions-stream.deltas-join-to-text': 'MUST';
  'generation/chat-completions-stream.no-repeated-text': 'MUST';
  'generation/chat-completions-stream.usage-chunk': 'MUST';
  'generation/chat-completions-stream.data-only': 'MUST';
  'generation/chat-completions-stream.role-first': 'SHOULD';
  'generation/chat-completions.shape': 'MUST';
  'generation/chat-completions.full-shape': 'SHOULD';
  'generation/chat-completions.usage-adds-up': 'MUST';
  'generation/chat-completions.id-unique': 'MUST';
  'generation/chat-completions.repeat-has-new-id': 'SHOULD';
  'generation/chat-completions.messages-required': 'MUST';
  'generation/chat-completions.conversation-served': 'MUST';
  'generation/chat-completions.output-limit': 'SHOULD';
  'generation/chat-completions.older-limit-kept': 'SHOULD';
  'generation/chat-completions.truncated-is-length': 'SHOULD';
  'generation/compact.shape': 'MUST';
  'generation/compact.output-is-an-input': 'SHOULD';
  'generation/generative-stream.chunk-shape': 'MUST';
  'generation/generative-stream.data-only': 'MUST';
  'generation/generative-stream.no-done': 'MUST';
  'generation/generative-stream.ends-with-blank-line': 'MUST';
  'generation/generative-stream.finish-last': 'MUST';
  'generation/generative-stream.deltas-join-to-text': 'MUST';
  'generation/generative-stream.one-finish': 'SHOULD';
  'generation/generative-stream.response-id-constant': 'SHOULD';
  'generation/generative-stream.no-repeated-text': 'MUST';
  'generation/generative-stream.usage-on-last': 'SHOULD';
  'generation/generative.shape': 'MUST';
  'generation/generative.finish-reason': 'MUST';
  'generation/generative.usage-adds-up': 'MUST';
  'generation/generative.hidden-tokens-shown': 'SHOULD';
  'generation/generative.contents-required': 'MUST';
  'generation/generative.conversation-served': 'MUST';
  'generation/generative.output-limit': 'MUST';
  'generation/generative.truncated-is-max-tokens': 'SHOULD';
  'generation/generative.unknown-action-refused': 'SHOULD';
  'generation/limits.limit-omitted': { MAY: 'responses' | 'chat-completions' | 'generative' };
  'generation/limits.kept-by-creation-mode': { MUST: Exclude<AxisValues['creation-mode'],
    'chat-completions-stream' | 'snake-case'>; SHOULD: 'chat-completions-stream' | 'snake-case' };
  'generation/limits.reported-by-creation-mode': { SHOULD: AxisValues['creation-mode'] };
  'generation/limits.kept-in-every-answer': { MUST: 'responses' | 'messages' | 'generative'; SHOULD:
    'chat-completions' };
  'generation/messages-stream.event-name-is-type': 'MUST';
  'generation/messages-stream.known-event-shapes': 'MUST';
  'generation/messages-stream.message-start-once-first': 'MUST';
  'generation/messages-stream.blocks-open-and-close': 'MUST';
  'generation/messages-stream.indexes-in-order': 'MUST';
  'generation/messages-stream.no-overlap': 'MUST';
  'generation/messages-stream.stop-reason-before-stop': 'MUST';
  'generation/messages-stream.message-stop-last': 'MUST';
  'generation/messages-stream.deltas-join-to-text': 'MUST';
  'generation/messages-stream.no-repeated-text': 'MUST';
  'generation/messages-stream.usage-present': 'MUST';
  'generation/messages.shape': 'MUST';
  'generation/messages.id-unique': 'MUST';
  'generation/messages.repeat-has-new-id': 'SHOULD';
  'generation/messages.messages-required': 'MUST';
  'generation/messages.conversation-served': 'MUST';
  'generation/messages.output-limit': 'MUST';
  'generation/messages.truncated-is-max-tokens': 'SHOULD';
  'generation/messages.max-tokens-required': 'MUST';
  'generation/paths.same-actions': { MUST: AxisValues['action'] };
  'generation/paths.no-doubled-prefix': 'MAY';
  'generation/responses-stream.events-typed': 'MUST';
  'generation/responses-stream.deltas-join-to-text': 'MUST';
  'generation/responses-stream.created-first': 'MUST';
  'generation/responses-stream.one-terminal-last': 'MUST';
  'generation/responses-stream.terminal-matches-status': 'MUST';
  'generation/responses-stream.event-name-is-type': 'MUST';
  'generation/responses-stream.known-event-shapes': 'MUST';
  'generation/responses-stream.sequence-increases': 'MUST';
  'generation/responses-stream.ids-constant': 'MUST';
  'generation/responses-stream.items-open-and-close': 'MUST';
  'generation/responses-stream.parts-open-and-close': 'MUST';
  'generation/responses-stream.indexes-append': 'MUST';
  'generation/responses-stream.event-name-present': 'SHOULD';
  'generation/responses-stream.sequence-from-zero': 'SHOULD';
  'generation/responses-stream.status-while-running': 'SHOULD';
  'generation/responses-stream.not-buffered': 'MAY';
  'generation/responses.shape': 'MUST';
  'generation/responses.id-unique': 'MUST';
  'generation/responses.status-explained': 'MUST';
  'generation/responses.output-limit': 'MUST';
  'generation/responses.usage-adds-up': 'MUST';
  'generation/responses.full-shape': 'SHOULD';
  'generation/responses.truncated-is-incomplete': 'SHOULD';
  'generation/responses.item-input': 'SHOULD';
  'generation/systemone.shape': 'MUST';
  'generation/systemone.full-shape': 'SHOULD';
  'generation/systemone.no-length-parameter': 'MUST';
  'generation/systemone.answers-match-questions': 'SHOULD';
  'generation/systemone.probabilities-valid': 'SHOULD';
  'generation/tools-stream.arguments-join': { MUST: 'responses' | 'chat-completions' | 'messages' };
  'generation/tools-stream.constant-joins': { MUST: AxisValues['streaming-protocol'] };
  'generation/tools-stream.parallel-calls-separate': { MUST: AxisValues['streaming-protocol'] };
  'generation/tools.shape': { MUST: AxisValues['call-form'] };
  'generation/tools.offered-function': { MUST: AxisValues['call-form'] };
  'generation/tools.required-arguments': { SHOULD: AxisValues['call-form'] };
  'generation/tools.messages-stop-reason': { SHOULD: 'messages' | 'messages-stream' };
  'generation/tools.messages-call-not-over': { MUST: 'messages' | 'messages-stream' };
  'generation/tools.no-call-without-tools': { SHOULD: AxisValues['streaming-protocol'] };
  'generation/tools.result-served': { MUST: AxisValues['streaming-protocol'] };
  'generation/tools.result-read': { MUST: AxisValues['streaming-protocol'] };
  'generation/usage.counts-output': { MUST: Exclude<AxisValues['generation-mode'], 'systemone'> };
  'generation/usage.adds-up-by-creation-mode': { MUST: Exclude<AxisValues['creation-mode'],
    'messages-stream'> };
  'generation/usage.reported-by-creation-mode': { SHOULD: 'responses-stream' | 'websocket' |
    'background' | 'continuation' };
  'generation/usage.counts-earlier-turns': { MUST: AxisValues['streaming-protocol'] };
  'generation/usage.counts-system-prompt': { SHOULD: AxisValues['streaming-protocol'] };
  'generation/usage.counts-parts': { MUST: AxisValues['streaming-protocol'] };
  'generation/usage.counts-whole-request': { MUST: AxisValues['streaming-protocol'] };
  'generation/usage.counts-tools': { SHOULD: AxisValues['call-form'] };
  'generation/usage.native-form': { SHOULD: AxisValues['streaming-protocol'] };
  'generation/usage.parts-within': { SHOULD: 'responses' | 'chat-completions' | 'generative' };
  'generation/usage.counts-input': { MUST: Exclude<AxisValues['generation-mode'], 'systemone'> };
  'generation/usage.counts-whole-conversation': { MUST: Exclude<AxisValues['creation-mode'],
    'websocket' | 'snake-case'>; SHOULD: 'websocket' | 'snake-case' };
  'generation/usage.counts-once-by-creation-mode': { SHOULD: AxisValues['creation-mode'] };
  'input/headers.any-type-served': { SHOULD: Exclude<AxisValues['endpoint'], 'websocket'> };
  'input/headers.no-accept-served': { SHOULD: Exclude<AxisValues['endpoint'], 'websocket'> };
  'input/headers.kept-connection-served': { SHOULD: Exclude<AxisValues['endpoint'], 'websocket'> };
  'input/headers.http2-served': { SHOULD: Exclude<AxisValues['endpoint'], 'websocket'> };
  'input/headers.http2-streamed': { SHOULD: AxisValues['streaming-protocol'] };
  'input/headers.charset-served': { SHOULD: AxisValues['body-endpoint'] };
  'input/headers.lower-case-served': { SHOULD: 'responses' | 'chat-completions' | 'systemone' |
    'models' | 'lookup' | 'input-items' | 'cancel' | 'delete' | 'compact' | 'input-tokens' |
    'websocket' };
  'input/headers.stream-not-negotiated': { SHOULD: AxisValues['streaming-protocol'] };
  'input/requests.malformed-json': { MUST: AxisValues['body-endpoint'] };
  'input/requests.empty-body': { MUST: Exclude<AxisValues['body-endpoint'], 'count-tokens' |
    'compact' | 'input-tokens'>; SHOULD: 'count-tokens' | 'compact' | 'input-tokens' };
  'input/requests.not-an-object': { MUST: Exclude<AxisValues['body-endpoint'], 'count-tokens' |
    'compact' | 'input-tokens'>; SHOULD: 'count-tokens' | 'compact' | 'input-tokens' };
  'input/requests.wrong-types': { MUST: Exclude<AxisValues['body-endpoint'], 'count-tokens' |
    'compact' | 'input-tokens'>; SHOULD: 'count-tokens' | 'compact' | 'input-tokens' };
  'input/requests.negative-limit': { SHOULD: AxisValues['streaming-protocol'] };
  'input/requests.huge-numbers': { SHOULD: AxisValues['streaming-protocol'] };
  'input/requests.deep-nesting': { SHOULD: AxisValues['protocol'] };
  'input/requests.unusual-unicode': { SHOULD: AxisValues['protocol'] };
  'input/requests.mutated-body': { SHOULD: AxisValues['protocol'] };
  'input/requests.equivalent-forms': { SHOULD: AxisValues['streaming-protocol'] };
  'input/requests.oversized-id': { SHOULD: AxisValues['protocol'] };
  'input/requests.no-stack-trace': { SHOULD: AxisValues['protocol'] };
  'input/requests.serves-afterwards': { MUST: AxisValues['protocol'] };
  'input/requests.unknown-path': { SHOULD: AxisValues['protocol'] };
  'input/requests.wrong-method': { SHOULD: AxisValues['protocol'] };
  'interruption/connection.cut-stream-is-stored': { MUST: 'background' | 'foreground'; SHOULD:
    'websocket' };
  'interruption/connection.cut-stream-recovers': 'MUST';
  'interruption/connection.background-continues': 'MUST';
  'interruption/connection.cut-run-ends': { SHOULD: 'foreground' | 'websocket' };
  'interruption/connection.partial-request-free': { SHOULD: AxisValues['streaming-protocol'] };
  'interruption/connection.harness-sends-once': 'MUST';
  'interruption/recovery.only-later-events': 'MUST';
  'interruption/recovery.event-grammar': 'MUST';
  'interruption/recovery.next-event': 'SHOULD';
  'interruption/recovery.completes-text': 'MUST';
  'interruption/recovery.from-any-point': 'MUST';
  'interruption/recovery.past-the-end': 'SHOULD';
  'interruption/recovery.from-the-start': 'SHOULD';
  'interruption/recovery.bad-value-refused': 'SHOULD';
  'interruption/recovery.foreground': 'SHOULD';
  'metering/ledger.compact-metered': 'MUST';
  'metering/ledger.counting-free': { MUST: 'messages-count-tokens' | 'count-tokens' |
    'alternate-path' | 'input-tokens' };
  'metering/ledger.kept-after-deletion': { MUST: 'ended' | 'running' | 'related' };
  'metering/ledger.kept-after-retention': 'SHOULD';
  'metering/ledger.interrupted-recorded': { SHOULD: 'cancel' | 'responses' | 'chat-completions' |
    'messages' | 'generative' | 'websocket' | 'one-body' };
  'metering/ledger.generation-recorded': { SHOULD: AxisValues['generation-mode'] };
  'metering/ledger.record-matches-usage': { SHOULD: Exclude<AxisValues['generation-mode'],
    'systemone'> };
  'metering/ledger.record-fits-request': { SHOULD: 'model' | 'operation' | 'status' | 'amounts' };
  'metering/ledger.charged-once': { SHOULD: AxisValues['generation-mode'] };
  'metering/ledger.compact-charged-once': 'SHOULD';
  'metering/ledger.operations-free': { SHOULD: 'models' | 'lookup' | 'input-items' | 'recover' |
    'cancel' | 'delete' };
  'metering/ledger.forbidden-not-run': 'MUST';
  'metering/ledger.refusals-free': 'SHOULD';
  'models/catalog.served': 'MUST';
  'models/catalog.shape': 'MUST';
  'models/catalog.has-usable-models': 'MUST';
  'models/catalog.permitted-only': 'MUST';
  'models/catalog.pages': 'SHOULD';
  'models/catalog.page-token-bound-to-key': 'MUST';
  'models/catalog.has-usable-models-by-key': { MUST: 'same-user' | 'other-user' | 'restricted' };
  'models/list.served': 'MUST';
  'models/list.shape': 'MUST';
  'models/list.has-usable-models': 'MUST';
  'models/list.has-generative-models': 'MAY';
  'models/list.permitted-only': 'MUST';
  'models/list.entry-fields': 'SHOULD';
  'models/list.ids-unique': 'SHOULD';
  'models/list.has-usable-models-by-key': { MUST: 'same-user' | 'other-user' | 'restricted' };
  'models/path.special-characters': { MUST: `${AxisValues['action']}.${'v1beta' | 'v1'}` };
  'provider/asked.once': { SHOULD: AxisValues['sides'] };
  'provider/asked.native-body': { MUST: AxisValues['sides'] };
  'provider/asked.model': { MUST: AxisValues['sides'] };
  'provider/asked.texts': { MUST: AxisValues['sides'] };
  'provider/asked.nothing-added': { SHOULD: AxisValues['sides'] };
  'provider/asked.system': { MUST: AxisValues['sides'] };
  'provider/asked.limit': { MUST: AxisValues['sides'] };
  'provider/asked.parameters': { SHOULD: Exclude<`${AxisValues['sides']}.${'stop' | 'temperature' |
    'top-p' | 'seed' | 'penalties' | 'user' | 'top-k'}`, 'chat-completions.top-k' | 'messages.seed'
    | 'messages.penalties' | 'chat-completions-to-messages.top-k' |
    'messages-to-chat-completions.seed' | 'messages-to-chat-completions.penalties'> };
  'provider/asked.tools': { MUST: AxisValues['sides'] };
  'provider/asked.tool-choice': { MUST: `${AxisValues['sides']}.${'auto' | 'none' | 'any' |
    'named'}` };
  'provider/asked.tool-history': { MUST: AxisValues['sides'] };
  'provider/errors.no-2xx': { MUST: `${AxisValues['sides']}.${'400' | '401' | '403' | '404' | '413'
    | '429' | '500' | '503' | '504' | '529'}` };
  'provider/errors.class': { SHOULD: `${AxisValues['sides']}.${'400' | '429' | '500' | '503' |
    '529'}` };
  'provider/errors.retry-after': { SHOULD: AxisValues['sides'] };
  'provider/errors.own-key': { SHOULD: AxisValues['sides'] };
  'provider/errors.false-200': { MUST: `${AxisValues['sides']}.${'error-body' | 'empty' |
    'half-json' | 'page' | 'other-json'}` };
  'provider/errors.before-stream': { SHOULD: AxisValues['sides'] };
  'provider/errors.in-stream': { MUST: 'messages' | 'messages-to-chat-completions'; SHOULD:
    AxisValues['chat-front'] };
  'provider/errors.cut-not-whole': { MUST: `${AxisValues['sides']}.${'cut' | 'clean-end' |
    'half-event' | 'cut-body'}` };
  'provider/errors.cut-told': { SHOULD: AxisValues['sides'] };
  'provider/routing.routed': { SHOULD: AxisValues['sides'] };
  'provider/secrets.provider-key': { MUST: 'chat-completions' | 'messages-to-chat-completions';
    SHOULD: AxisValues['messages-back'] };
  'provider/secrets.client-key': { SHOULD: AxisValues['sides'] };
  'provider/secrets.headers': { SHOULD: AxisValues['sides'] };
  'provider/stream.framing': { MUST: Exclude<`${AxisValues['sides']}.${'bytes' | 'one-write' |
    'crlf' | 'no-space' | 'comments' | 'big-event' | 'unknown-event'}`,
    'chat-completions.unknown-event' | 'messages-to-chat-completions.unknown-event'> };
  'provider/stream.left': { SHOULD: AxisValues['sides'] };
  'provider/told.text': { MUST: AxisValues['sides'] };
  'provider/told.finish': { MUST: `${'chat-completions' | 'messages'}.${'end' | 'limit' | 'calls' |
    'filter' | 'stop-sequence'}`; SHOULD: `${Exclude<AxisValues['sides'], 'chat-completions' |
    'messages'>}.${'end' | 'limit' | 'calls' | 'filter' | 'stop-sequence'}` };
  'provider/told.no-false-end': { SHOULD: `${AxisValues['messages-back']}.${'pause-turn' |
    'context-window'}` };
  'provider/told.arguments': { MUST: AxisValues['sides'] };
  'provider/told.digits': { SHOULD: AxisValues['sides'] };
  'provider/told.no-arguments': { MUST: AxisValues['sides'] };
  'provider/told.parallel': { MUST: AxisValues['sides'] };
  'provider/told.call-ids': { MUST: AxisValues['sides'] };
  'provider/usage.input': { MUST: 'chat-completions' | 'messages'; SHOULD:
    Exclude<AxisValues['sides'], 'chat-completions' | 'messages'> };
  'provider/usage.output': { MUST: 'chat-completions' | 'messages'; SHOULD:
    Exclude<AxisValues['sides'], 'chat-completions' | 'messages'> };
  'provider/usage.cached': { SHOULD: AxisValues['sides'] };
  'provider/usage.total': { MUST: AxisValues['chat-front'] };
  'storage/continuation.served': { MUST: 'one-body' | 'stream'; SHOULD: 'websocket' };
  'storage/continuation.from-each-mode': { MUST: 'one-body' | 'stream' | 'background' |
    'background-stream' | 'websocket' | 'continuation' };
  'storage/continuation.over-websocket-from-each-mode': { SHOULD: 'one-body' | 'stream' |
    'background' | 'background-stream' | 'websocket' | 'continuation' };
  'storage/continuation.chain-served': 'MUST';
  'storage/continuation.reads-history': 'MUST';
  'storage/continuation.carries-context': 'MUST';
  'storage/continuation.earlier-items-counted': { MUST: 'one-body' | 'stream' | 'websocket' };
  'storage/continuation.instructions-left-behind': 'MUST';
  'storage/continuation.echoes-previous': 'SHOULD';
  'storage/continuation.branches': 'MUST';
  'storage/continuation.at-once': 'SHOULD';
  'storage/continuation.tool-result-served': 'MUST';
  'storage/continuation.tool-result-read': 'MUST';
  'storage/continuation.read-by-other-calls': { SHOULD: 'input-tokens' | 'compact' };
  'storage/deletion.served': 'MUST';
  'storage/deletion.by-creation-mode': { MUST: 'one-body' | 'stream' | 'background' |
    'background-stream' | 'websocket' | 'continuation' };
  'storage/deletion.of-each-state': { MUST: 'cancelled' | 'cut-background' | 'grandchild' | 'orphan'
    };
  'storage/deletion.left-open-in-each-state': { SHOULD: 'cut-stream' | 'cut-background' | 'cut-turn'
    | 'grandchild' | 'orphan' };
  'storage/deletion.shape': 'SHOULD';
  'storage/deletion.denies-afterwards': { MUST: 'lookup' | 'input-items' | 'continue' |
    'continue-websocket'; SHOULD: 'recover' | 'cancel' | 'delete' };
  'storage/deletion.denied-on-its-connection': 'MUST';
  'storage/deletion.indirect-access-denied': { MUST: 'compact' | 'input-tokens'; SHOULD:
    'item-reference' };
  'storage/deletion.removes-events': 'MUST';
  'storage/deletion.leaves-others': 'MUST';
  'storage/deletion.leaves-predecessor': 'MUST';
  'storage/deletion.leaves-continuation': 'MUST';
  'storage/deletion.continuation-continued': 'MUST';
  'storage/deletion.continuation-input': 'MAY';
  'storage/deletion.cancels-running': { MUST: 'background' | 'foreground' };
  'storage/deletion.stops-run-in-region': 'MUST';
  'storage/deletion.denied-at-the-end': 'MUST';
  'storage/deletion.of-a-call': 'MUST';
  'storage/messages.not-offered': { MUST: `${'get-message' | 'get-response' |
    'previous-response-id'}.${AxisValues['message-made']}` };
  'storage/messages.no-continuation': 'MUST';
  'storage/responses.lookup-served': 'MUST';
  'storage/responses.lookup-equals-created': 'MUST';
  'storage/responses.lookup-same-resource': { SHOULD: 'one-body' | 'stream' | 'background' |
    'websocket' | 'continuation' | 'call' };
  'storage/responses.lookup-shape': 'MUST';
  'storage/responses.input-items-served': 'MUST';
  'storage/responses.input-items-contain-input': 'MUST';
  'storage/responses.read-by-creation-mode': { MUST: 'one-body' | 'stream' | 'background' |
    'background-stream' | 'websocket' | 'continuation' };
  'storage/responses.read-in-each-state': { MUST: 'cancelled' | 'cut-stream' | 'cut-background' |
    'cut-turn' | 'grandchild' | 'orphan' };
  'storage/responses.input-items-unchanged': { MUST: 'items' | 'parts' | 'result' | 'third-turn';
    SHOULD: 'string' };
  'storage/responses.input-items-keep-roles': { MUST: 'items' | 'parts' };
  'storage/responses.input-items-keep-calls': 'SHOULD';
  'storage/responses.input-items-exclude-output': 'MUST';
  'storage/responses.input-items-shape': 'MUST';
  'storage/responses.input-items-pages': 'SHOULD';
  'storage/responses.input-items-newest-first': 'SHOULD';
  'storage/responses.input-items-ends-named': 'SHOULD';
  'storage/responses.stream-is-stored': 'MUST';
  'storage/responses.omitted-is-stored': 'SHOULD';
  'storage/responses.false-denies': { MUST: 'lookup' | 'input-items' | 'continue' |
    'continue-websocket'; SHOULD: 'recover' | 'cancel' | 'delete' };
  'storage/responses.false-indirect-access-denied': { MUST: 'compact' | 'input-tokens'; SHOULD:
    'item-reference' };
  'storage/responses.unknown-id-denied': { MUST: AxisValues['stored-op'] };
  'storage/responses.kept-by-creation-mode': { MUST: 'one-body' | 'stream' | 'background' |
    'background-stream' | 'websocket' | 'continuation' };
  'storage/responses.gone-after-retention': { SHOULD: Exclude<AxisValues['stored-op'], 'delete'> };
  'storage/responses.expired-indirect-access-denied': { SHOULD: 'compact' | 'input-tokens' |
    'item-reference' };
  'storage/responses.there-at-the-end': 'MUST';
  'storage/responses.unstored-at-the-end': 'MUST';
  'storage/responses.input-items-of-each-kind': 'MUST';
  'websocket/connection.turn-served': 'MUST';
  'websocket/connection.stored-is-stored': 'MUST';
  'websocket/connection.history-in-connection': 'MUST';
  'websocket/connection.history-ends-with-connection': { MUST: 'other-connection' | 'reconnect' |
    'http' };
  'websocket/connection.event-grammar': 'MUST';
  'websocket/connection.sequential-turns': 'MUST';
  'websocket/connection.ping-answered': 'MUST';
  'websocket/connection.no-interleaving': 'MUST';
  'websocket/connection.history-carried': 'MUST';
  'websocket/connection.refusals-answered': 'MUST';
  'websocket/connection.bad-frame-survived': 'SHOULD';
  'websocket/connection.broken-turn-survived': 'SHOULD';
  'websocket/connection.failed-continuation-evicted': 'SHOULD';
  'websocket/connection.plain-get-refused': 'SHOULD';
}

/** Rows without a check, with their levels. */
export interface UncheckedIds {
  'not-observable/promises.no-webhooks': 'MUST';
  'not-observable/promises.no-executing-playground': 'MUST';
  'not-observable/promises.count-guarantees-nothing': 'MAY';
  'not-observable/promises.no-copy-inside': 'MUST';
  'not-observable/promises.declared-protocols-as-data': 'MUST';
  'not-observable/promises.request-log': 'MUST';
  'not-observable/promises.other-media-services': 'MAY';
  'not-observable/promises.separate-console': 'MAY';
  'not-observable/promises.retention-without-clock': 'MUST';
  'not-observable/promises.charges-without-ledger': 'MUST';
}
