import { basename } from 'node:path';
import { parseYaml } from './document.ts';
import { type Environment, substitute } from './environment.ts';
import { withProxies } from './proxies.ts';
import type { Target } from './target.ts';
import { type Problem, TargetError, yamlText } from './target-error.ts';
import { withTlsFiles } from './tls-files.ts';
import { validated } from './validate.ts';

interface LoadOptions {
  /** True if the keys are used to call the gateway. Otherwise their variables need not be set. Default: true. */
  readonly needsKeys?: boolean;
  /** True to read the files that the target file names. Default: true. */
  readonly needsFiles?: boolean;
}

/**
 * Reads a target file.
 *
 * @throws {TargetError} with all problems, their places and suggestions. The error quotes no key and no value of an
 *   environment variable
 */
export function loadTarget(
  path: string,
  environment: Environment = process.env,
  options: LoadOptions = {},
): Target {
  return readTarget(yamlText(path, otherwise), path, environment, options);
}

/** Parses the text of a target file. `path` names it in errors. @throws {TargetError} */
export function readTarget(
  text: string,
  path: string,
  environment: Environment,
  { needsKeys = true, needsFiles = true }: LoadOptions = {},
): Target {
  const parsed = parseYaml(text);
  if (!parsed.ok) throw new TargetError(path, [parsed.problem]);
  const { document } = parsed;
  const { problems, unknown, values, variables } = substitute(document, environment, needsKeys);
  const target = validated({
    source: path,
    fallbackName: basename(path).replace(/\.ya?ml$/, ''),
    data: document.value() ?? {},
    places: document,
    problems,
    unknown,
    secrets: values,
    variables,
  });
  if (!needsFiles) return withProxies(target, environment);
  const wrong: Problem[] = [];
  const whole = withTlsFiles(target, path, (at, message) =>
    wrong.push(document.problem(at, message)),
  );
  if (wrong.length > 0) throw new TargetError(path, wrong);
  return withProxies(whole, environment);
}

const otherwise =
  ' Name one with --target FILE, or test without a file: --base-url URL --model ID.';
