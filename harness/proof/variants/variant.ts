import type { AskedCapability, Defect } from '../../reference/index.ts';

/**
 * A legal difference: a reference gateway with a behaviour that the specification and the protocols allow. Verdicts
 * of all checks must stay unchanged.
 */
export interface Variant extends Defect {
  /** Kebab-case id that starts with the area: `framing.crlf`, `refusals.denied-403`. */
  readonly id: string;
  readonly what: string;
  /** Capabilities that its target file does not mention. */
  readonly silentAbout?: readonly AskedCapability[];
  /** Ids of recommendations that it does not follow: they warn, but nothing fails. */
  readonly warns?: readonly string[];
}
