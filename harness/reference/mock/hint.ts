import type { Gateway } from '../call.ts';

/** Returns a hint that a mock appends to a refusal: the next step for the author of a client. */
export function hint({ isMock }: Pick<Gateway, 'isMock'>, text: string): string {
  return isMock && text !== '' ? ` ${text}` : '';
}
