import type { Dialect } from './call.ts';
import { chatCompletionsDialect } from './chat-completions/dialect.ts';
import { generativeDialect } from './generative/dialect.ts';
import { messagesDialect } from './messages/dialect.ts';
import { modelsDialect } from './models/dialect.ts';
import { responsesDialect } from './responses/dialect.ts';
import { systemoneDialect } from './systemone/dialect.ts';

/** Every protocol of the gateway. The first dialect refuses paths that no other dialect owns. */
export const dialects: readonly [Dialect, ...Dialect[]] = [
  responsesDialect,
  chatCompletionsDialect,
  messagesDialect,
  generativeDialect,
  systemoneDialect,
  modelsDialect,
];
