import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { asList, asObject, fixture } from '../../kernel/core/index.ts';
import { parseYaml, problemsIn, TargetError, yamlText } from '../../kernel/targets/index.ts';
import type { Policy } from './policy.ts';

/**
 * Reads a policy of a verifier. Paths of public keys are resolved from the folder of the policy.
 *
 * @throws {TargetError} with all problems and their places
 */
export function readPolicy(path: string): Policy {
  const policy = parsePolicy(yamlText(path), path);
  const { publicKeys } = policy;
  if (publicKeys === undefined) return policy;
  return { ...policy, publicKeys: publicKeys.map((key) => resolve(dirname(path), key)) };
}

/** @param path names the file in errors @throws {TargetError} */
export function parsePolicy(text: string, path: string): Policy {
  const parsed = parseYaml(text);
  if (!parsed.ok) throw new TargetError(path, [parsed.problem]);
  const { document } = parsed;
  const data = document.value() ?? {};
  const schema: object = JSON.parse(readFileSync(fixture('policy.schema.json'), 'utf8'));
  const validate = new Ajv2020({ allErrors: true, verbose: true }).compile<Policy>(schema);
  if (!validate(data)) {
    throw new TargetError(
      path,
      problemsIn(validate, 'a policy', document, (value) => `"${value}"`),
    );
  }
  const wrong = asList(asObject(data.suite).builds).flatMap((build, index) =>
    /^[0-9a-f]{64}$/.test(String(build))
      ? []
      : [document.problem(['suite', 'builds', index], 'This is no SHA-256 in hexadecimal digits.')],
  );
  if (wrong.length > 0) throw new TargetError(path, wrong);
  return data;
}
