import type { AskedCapability, Defect } from '../../reference/index.ts';

/**
 * A legal difference: a reference gateway that does something in another way, which the specification
 * and the protocols allow. Under it every check has to stay as it is.
 */
export interface Variant extends Defect {
  /** In kebab case, the area first: `framing.crlf`, `refusals.denied-403`. */
  readonly id: string;
  /** Difference of this gateway, in one sentence. */
  readonly what: string;
  /** Capabilities that its target file does not mention. */
  readonly silentAbout?: readonly AskedCapability[];
  /** Ids of the recommendations that it does not follow: they warn, and nothing fails. */
  readonly warns?: readonly string[];
}
