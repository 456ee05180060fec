import { join } from 'node:path';
import { type JudgingLimits, judgedApart, secondsToJudge } from '../../kernel/cli/index.ts';
import { messageOf, UnfitFile } from '../../kernel/core/index.ts';
import { bundleFiles } from './files.ts';
import type { Demands } from './inspect.ts';
import { judgedBundle, unjudged, type Verification } from './judged-bundle.ts';

/** Memory limits of one bundle. That of a whole run takes less than 300 MB. */
const usual = { heapMegabytes: 512, megabytes: 1_024 };

/** Verifies a bundle within limits. No request is sent. */
export async function verifyBundle(
  bundle: string,
  demands: Demands,
  less: Partial<JudgingLimits> = {},
  module?: string,
): Promise<Verification> {
  const here = (): Promise<Verification> => judgedBundle(bundle, demands);
  const processorSeconds = secondsToJudge(join(bundle, bundleFiles.exchanges));
  const limits = { processorSeconds, ...usual, ...less };
  try {
    return await judgedApart({ bundle, demands }, here, limits, module);
  } catch (error) {
    if (error instanceof UnfitFile) return unjudged(error.message);
    return { level: null, problems: [`it cannot be read: ${messageOf(error)}`], bundle: null };
  }
}
