import type { Gateway } from '../call.ts';

/** Returns a hint that a mock appends to a refusal, for the author of a client: the next step. */
export function hint({ isMock }: Pick<Gateway, 'isMock'>, text: string): string {
  return isMock && text !== '' ? ` ${text}` : '';
}
