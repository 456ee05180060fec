import { continues, relax } from '../../decisions.ts';
import { wrong } from '../../generated/index.ts';
import { seeing } from '../../generated/seen.ts';
import { type Override, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Conditions that are checked for the plain request, but not in another request mode.

const backgroundForm = { id: 'responses-in-background', endpoint: 'responses', mode: 'background' };
const alternateForms = [
  { id: 'alternate-path-streamed', endpoint: 'alternate-path', mode: 'stream' },
  { id: 'alternate-path-counted', endpoint: 'alternate-path', mode: 'count' },
];
const forms = [
  { id: 'responses-streamed', endpoint: 'responses', mode: 'stream' },
  { id: 'chat-completions-streamed', endpoint: 'chat-completions', mode: 'stream' },
  { id: 'messages-streamed', endpoint: 'messages', mode: 'stream' },
  backgroundForm,
  ...alternateForms,
];

const messagesStream = { endpoint: 'messages', mode: 'stream' };

// Conditions that are checked only in the first turn of a connection or conversation.

const later = { endpoint: 'websocket', mode: 'later-turn' };

/** Serves a capability wherever an earlier response is named. */
function behindContinuation(capability: string): Override {
  return relax('supports', (_model, asked, call) => asked === capability && continues(call));
}

export const accessRequestModesFaults: readonly Fault[] = [
  // The faults of streams are in `models.ts`.
  ...each([backgroundForm, ...alternateForms], ({ endpoint, mode }) => ({
    'protocols.undeclared-{id}': wrong('speaks.undeclared', { endpoint, mode }),
  })),
  ...each(forms, ({ endpoint, mode }) => ({
    'auth.keyless-{id}': wrong('keyFor.none', { endpoint, mode }),
    'auth.any-key-{id}': wrong('keyFor.unknown', { endpoint, mode }),
    'permissions.unpermitted-{id}': wrong('mayUseModel', { endpoint, mode }),
    'protocols.unknown-model-{id}': wrong('findModel.unknown', { endpoint, mode }),
  })),
  ...planted({
    'auth.streamed-messages-version-required': wrong('versionAccepted.none', messagesStream),
    'auth.streamed-version-is-a-date': wrong('versionAccepted.any', messagesStream),
    'auth.recovery-without-key': wrong('keyFor.none', { endpoint: 'recover' }),
    'auth.recovery-with-unknown-key': wrong('keyFor.unknown', { endpoint: 'recover' }),
    'capabilities.alternate-count-anyway': wrong('supports', {
      endpoint: 'alternate-path',
      capability: 'vendorB-count',
    }),
    'capabilities.alternate-stream-anyway': wrong('supports', {
      endpoint: 'alternate-path',
      capability: 'stream',
    }),
    'capabilities.background-stream-anyway': relax(
      'supports',
      (_model, _capability, { body }) => body.background === true && body.stream === true,
    ),
    'background.unstored-stream': relax('backgroundAllowed', (execution) => execution.stream),
  }),
  ...planted({
    'owners.first-turn-only': wrong('isSameUser', { mode: 'later-turn' }),
    'regions.first-turn-only': wrong('isOriginalRegion', { mode: 'later-turn' }),
    'permissions.first-turn-only': together(
      wrong('isModelPermitted.continued', { mode: 'later-turn' }),
      // The continuation names the same model.
      seeing(({ modeOf }) =>
        relax(
          'mayUseModel',
          (_key, _model, call) => modeOf(call) === 'later-turn' && continues(call),
        ),
      ),
    ),
    'permissions.any-model-in-later-turn': wrong('mayUseModel', later),
    'protocols.any-model-in-later-turn': together(
      wrong('speaks.undeclared', later),
      wrong('supports', { ...later, capability: 'websocket' }),
    ),
    'protocols.unknown-model-in-later-turn': wrong('findModel.unknown', later),
    'capabilities.any-channel-in-later-turn': wrong('supports', {
      ...later,
      capability: 'websocket',
    }),
    'protocols.any-model-to-continue': relax(
      'speaks',
      (_model, _protocol, call) => call.operation === 'responses.create' && continues(call),
    ),
    'permissions.any-model-to-continue': relax(
      'mayUseModel',
      (_key, _model, call) => call.operation === 'responses.create' && continues(call),
    ),
  }),
  ...each(['background', 'compact'] as const, (capability) => ({
    'capabilities.any-model-to-continue-{}': behindContinuation(capability),
  })),
  ...planted({
    'capabilities.any-model-to-count-on': behindContinuation('input_tokens'),
    'capabilities.any-model-to-stream-on': behindContinuation('stream'),
  }),
];
