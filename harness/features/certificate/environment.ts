import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  asObject,
  budgets,
  type Catalogue,
  packageRoot,
  parseForeign,
  whyOtherwise,
} from '../../kernel/core/index.ts';
import { suiteDigest } from './suite-digest.ts';

/** Suite and catalogue that judged a run: `environment.json`. */
export interface Environment {
  readonly format: 'gateway-touchstone/environment';
  /** Incremented when a member is removed or changes its meaning. */
  readonly version: 1;
  readonly suite: {
    readonly name: string;
    readonly version: string;
    /** SHA-256 over the suite's own files. */
    readonly sha256: string;
  };
  readonly catalogue: { readonly sha256: string; readonly checks: number };
}

const format = 'gateway-touchstone/environment';

export function currentEnvironment({ digest, checks }: Catalogue): Environment {
  const { name, version } = manifest();
  return {
    format,
    version: 1,
    suite: { name, version, sha256: suiteDigest() },
    catalogue: { sha256: digest, checks: checks.length },
  };
}

export function writtenEnvironment(environment: Environment): string {
  return `${JSON.stringify(environment, null, 2)}\n`;
}

/**
 * @throws {Error} when the text is not an environment, has other members, or has an unknown version
 */
export function readEnvironment(text: string): Environment {
  const value = parseForeign(text, budgets.small);
  if (!isEnvironment(value)) throw new Error('it does not say what judged, as version 1 says it');
  const { suite, catalogue } = value;
  const read: Environment = {
    format,
    version: 1,
    suite: { name: suite.name, version: suite.version, sha256: suite.sha256 },
    catalogue: { sha256: catalogue.sha256, checks: catalogue.checks },
  };
  const otherwise = whyOtherwise(text, writtenEnvironment(read));
  if (otherwise !== null) throw new Error(`it is not as the suite writes it: ${otherwise}`);
  return read;
}

function isEnvironment(value: unknown): value is Environment {
  const { format: named, version, ...rest } = asObject(value);
  const [suite, catalogue] = [asObject(rest.suite), asObject(rest.catalogue)];
  return (
    named === format &&
    version === 1 &&
    [suite.name, suite.version, suite.sha256, catalogue.sha256].every(
      (one) => typeof one === 'string',
    ) &&
    typeof catalogue.checks === 'number'
  );
}

function manifest(): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
}
