import { chatCompletionsVariants } from './chat-completions.ts';
import { framingVariants } from './framing.ts';
import { generativeVariants } from './generative.ts';
import { inputVariants } from './input.ts';
import { keyAndRegionVariants } from './keys-and-regions.ts';
import { lateRefusalVariants } from './late-refusals.ts';
import { ledgerVariants } from './ledger.ts';
import { memberVariants } from './members.ts';
import { messagesVariants } from './messages.ts';
import { modelsVariants } from './models.ts';
import { nothingSaidVariants } from './nothing-said.ts';
import { refusalVariants } from './refusals.ts';
import { responsesBehaviourVariants } from './responses-behaviour.ts';
import { responsesBodyVariants } from './responses-bodies.ts';
import { responsesStreamVariants } from './responses-stream.ts';
import { systemoneVariants } from './systemone.ts';
import { transportVariants } from './transport.ts';
import type { Variant } from './variant.ts';
import { websocketRefusalVariants } from './websocket-refusals.ts';

export type { Variant } from './variant.ts';

/** Every legal difference under which the suite has to stay as it is. */
export const variants: readonly Variant[] = [
  ...framingVariants,
  ...transportVariants,
  ...memberVariants,
  ...responsesStreamVariants,
  ...responsesBodyVariants,
  ...responsesBehaviourVariants,
  ...chatCompletionsVariants,
  ...messagesVariants,
  ...generativeVariants,
  ...systemoneVariants,
  ...modelsVariants,
  ...nothingSaidVariants,
  ...refusalVariants,
  ...lateRefusalVariants,
  ...websocketRefusalVariants,
  ...inputVariants,
  ...keyAndRegionVariants,
  ...ledgerVariants,
];
