import { generative } from './generative/index.ts';
import { messages } from './messages/index.ts';

/** The publishers' names in header names, as most gateways have them. */
export const usualNames = {
  vendorA: messages.usualPublisher,
  vendorB: generative.usualPublisher,
} as const;
