import type { Limits } from '../../kernel/targets/index.ts';
import type { AskedCapability, Defect } from '../../reference/index.ts';

/**
 * A planted fault: a reference gateway with one defect, which proves that a check can fail. The fault changes one
 * decision, one encoder or one frame sequence.
 */
export interface Fault extends Defect {
  /** Kebab-case id that starts with the area: `auth.keyless-chat`, `responses-stream.two-terminals`. */
  readonly id: string;
  /** Behaviour of the faulty gateway, in one sentence. */
  readonly what: string;
  /** Ids of the checks that have to fail, or warn; the id of a row represents all of its values. */
  readonly breaks: readonly string[];
  /** Capabilities that its target file does not mention. */
  readonly silentAbout?: readonly AskedCapability[];
  readonly limits?: Partial<Limits>;
  /**
   * Rows whose requests show the fault, if the checks that it breaks send none themselves. Without such rows, every
   * check judges the fault, which takes longer.
   */
  readonly shownBy?: readonly string[];
}
