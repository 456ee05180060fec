import type { Gateway } from '../call.ts';

/** What a mock says behind the usual words of a refusal: what whoever builds a client does next. */
export function hint({ isMock }: Pick<Gateway, 'isMock'>, text: string): string {
  return isMock && text !== '' ? ` ${text}` : '';
}
