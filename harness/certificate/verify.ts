import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../core/result.ts';
import type { Rejudged } from '../engine/recordings/rejudge.ts';
import { rejudge } from '../engine/recordings/rejudge.ts';
import { disagreements } from './comparison.ts';
import { bundleFiles } from './files.ts';
import { type Bundle, type Expectations, inspect } from './inspect.ts';
import { reproduction } from './reproduce.ts';
import { suiteDigest } from './suite-digest.ts';

export interface VerifyOptions extends Expectations {
  /** Of the required signer; null requires no signature. */
  readonly publicKey: KeyObject | null;
  /** Makes the HTML report of a run and its recording. */
  readonly html: (result: RunResult, recording: string) => Promise<string>;
}

export interface Verification {
  /** Why the bundle is rejected; none: it is what it says. */
  readonly problems: readonly string[];
  /** What could not be compared, and why. */
  readonly notes: readonly string[];
  readonly bundle: Bundle | null;
}

/**
 * Verifies a bundle: looks at it, and then judges its exchanges again, which is what its report must
 * say, too. Nothing is sent.
 */
export async function verifyBundle(
  folder: string,
  { publicKey, html, ...expectations }: VerifyOptions,
): Promise<Verification> {
  const { problems, bundle } = inspect(folder, publicKey, expectations);
  if (bundle === null || problems.length > 0) return { problems, notes: [], bundle };
  const recording = join(folder, bundleFiles.exchanges);
  let rejudged: Rejudged;
  try {
    rejudged = await rejudge(recording);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problems: [`the exchanges cannot be judged: ${reason}`], notes: [], bundle };
  }
  const found = [
    ...disagreements(bundle.report, rejudged.result),
    ...unaskedProblems(rejudged.unasked),
  ];
  if (bundle.environment.suite.sha256 !== suiteDigest()) {
    const note =
      'It was made by another build of the suite than this one, so the words of ' +
      `${bundleFiles.html} and ${bundleFiles.reproduce} were not compared.`;
    return { problems: found, notes: [note], bundle };
  }
  const written = {
    [bundleFiles.html]: await html(bundle.report, recording),
    [bundleFiles.reproduce]: reproduction(bundle.report, bundle.environment),
  };
  for (const [name, text] of Object.entries(written)) {
    if (readFileSync(join(folder, name), 'utf8') === text) continue;
    found.push(`${name} disagrees with ${bundleFiles.report}`);
  }
  return { problems: found, notes: [], bundle };
}

/** One change may keep many scenarios from asking for the rest of theirs. */
function unaskedProblems(unasked: readonly string[]): string[] {
  if (unasked.length === 0) return [];
  const shown = unasked.slice(0, 3).join(', ');
  const rest = unasked.length > 3 ? ` and ${unasked.length - 3} more` : '';
  return [`the suite does not ask for exchanges that are recorded: ${shown}${rest}`];
}
