import { askedVariants } from './asked.ts';
import { behaviourVariants } from './behaviour.ts';
import { chatCompletionsVariants } from './chat-completions.ts';
import { generativeVariants } from './generative.ts';
import { httpVariants } from './http.ts';
import { inputVariants } from './input.ts';
import { lenientVariants } from './lenient.ts';
import { messagesVariants } from './messages.ts';
import { meteringVariants } from './metering.ts';
import { modelsVariants } from './models.ts';
import { paceVariants } from './pace.ts';
import { refusalsVariants } from './refusals.ts';
import { regionsVariants } from './regions.ts';
import { responsesVariants } from './responses.ts';
import { responsesStreamVariants } from './responses-stream.ts';
import { toolsVariants } from './tools.ts';
import { transportVariants } from './transport.ts';
import type { Variant } from './variant.ts';

export type { Variant } from './variant.ts';

/** All legal differences, which must not change the suite's verdicts. */
export const variants: readonly Variant[] = [
  ...askedVariants,
  ...transportVariants,
  ...httpVariants,
  ...responsesStreamVariants,
  ...responsesVariants,
  ...behaviourVariants,
  ...paceVariants,
  ...meteringVariants,
  ...chatCompletionsVariants,
  ...messagesVariants,
  ...generativeVariants,
  ...modelsVariants,
  ...refusalsVariants,
  ...inputVariants,
  ...toolsVariants,
  ...lenientVariants,
  ...regionsVariants,
];
