import type { Target } from '../../kernel/targets/index.ts';
import type { Played } from './ask.ts';
import { chat } from './chat.ts';
import { messages } from './messages.ts';

export type PlayedProviders = NonNullable<Target['providers']>;
export type PlayedRoute = PlayedProviders['routes'][number];

/** A protocol in which Touchstone plays a provider. */
export type PlayedIn = PlayedRoute['asks'];

export const played: Readonly<Record<PlayedIn, Played>> = {
  'chat-completions': chat,
  messages,
};
