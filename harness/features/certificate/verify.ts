import { type JudgingLimits, judgedApart } from '../../kernel/cli/index.ts';
import { messageOf, UnfitFile } from '../../kernel/core/index.ts';
import type { Demands } from './inspect.ts';
import { judgedBundle, unjudged, type Verification } from './judged-bundle.ts';

/** Limits of one bundle. Those of a whole run take some seconds, and less than 300 MB. */
const usual = { processorSeconds: 60, heapMegabytes: 512, megabytes: 1_024 };

/** Verifies a bundle within limits. No request is sent. */
export async function verifyBundle(
  bundle: string,
  demands: Demands,
  less: Partial<JudgingLimits> = {},
  module?: string,
): Promise<Verification> {
  const here = (): Promise<Verification> => judgedBundle(bundle, demands);
  try {
    return await judgedApart({ bundle, demands }, here, { ...usual, ...less }, module);
  } catch (error) {
    if (error instanceof UnfitFile) return unjudged(error.message);
    return { level: null, problems: [`it cannot be read: ${messageOf(error)}`], bundle: null };
  }
}
