import { generative } from './generative/index.ts';
import { messages } from './messages/index.ts';

/** The usual names of the publishers in header names. */
export const usualNames = {
  vendorA: messages.usualPublisher,
  vendorB: generative.usualPublisher,
} as const;
