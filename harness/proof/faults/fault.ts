import type { Limits } from '../../kernel/targets/index.ts';
import type { AskedCapability, Defect } from '../../reference/index.ts';

/**
 * A planted fault: a reference gateway that does one thing wrong. It is what proves that a check can
 * fail. What it changes is one decision, one encoder or one frame sequence.
 */
export interface Fault extends Defect {
  /** In kebab case, the area first: `auth.keyless-chat`, `responses-stream.two-terminals`. */
  readonly id: string;
  /** Behaviour of the faulty gateway, in one sentence. */
  readonly what: string;
  /** Ids of the checks that have to turn red, or warn; the id of a row stands for all its values. */
  readonly breaks: readonly string[];
  /** Capabilities that its target file does not mention. */
  readonly silentAbout?: readonly AskedCapability[];
  /** Limits in its target file. */
  readonly limits?: Partial<Limits>;
  /**
   * Rows whose requests show the fault, where the checks that it breaks send none themselves. Without
   * them it is judged by every check, which takes longer.
   */
  readonly shownBy?: readonly string[];
}
