import {
  declaredAs,
  flagsOf,
  type Restriction,
  restrictionFields,
  restrictionNames,
} from '../core/index.ts';
import { type CustomHeaders, keyVariable, variablesIn } from '../wire/index.ts';
import type { Path, Places } from './document.ts';
import type { Environment } from './environment.ts';
import { withProxies } from './proxies.ts';
import { type Keys, keyNames, type Target } from './target.ts';
import type { Problem } from './target-error.ts';
import { validated } from './validate.ts';

export interface InlineOptions {
  readonly baseUrl: string;
  readonly models: readonly string[];
  /** Identifiers of target files, declared by every model. Default: `responses`. */
  readonly protocols?: readonly string[];
  /** Features that the gateway lacks. */
  readonly restrictions?: readonly Restriction[] | undefined;
  /** Models and names observed at the gateway. They override `protocols`. */
  readonly seen?: {
    readonly names: Target['names'];
    readonly credentials: Target['credentials'];
    readonly models: readonly InlineModel[];
  };
  /** Headers sent with every request. `${NAME}` in a value stands for an environment variable. */
  readonly headers?: CustomHeaders;
}

export interface InlineModel {
  readonly id: string;
  readonly protocols: readonly string[];
  readonly supports: readonly string[];
  readonly lacks: readonly string[];
  readonly permitted?: readonly (keyof Keys)[];
}

/** Default environment variables of keys, when no target file names others. */
export const keyVariables: Readonly<Record<keyof Keys, string>> = {
  owner: keyVariable('owner'),
  sameUser: keyVariable('sameUser'),
  otherUser: keyVariable('otherUser'),
  restricted: keyVariable('restricted'),
};

/** Stand-in for the owner's key if the gateway takes none. */
const noKeys = 'none';

/**
 * Builds a target without a file: one region, keys from the environment, and models with their observed
 * capabilities. Without observations, models have the declared protocols only.
 *
 * @throws {TargetError} naming the option or variable that is wrong
 */
export function inlineTarget(
  options: InlineOptions,
  environment: Environment = process.env,
): Target {
  const given = keyNames.flatMap((name): [keyof Keys, string][] => {
    const value = environment[keyVariables[name]];
    return value === undefined || value === '' ? [] : [[name, value]];
  });
  const takesNone = environment[keyVariables.owner] === noKeys;
  const protocols = options.protocols ?? [declaredAs.responses];
  const { headers = {}, seen, restrictions = [] } = options;
  const variables = Object.fromEntries(
    Object.values(headers)
      .flatMap(variablesIn)
      .flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const problems = [
    ...problemsBefore(options, takesNone || given[0]?.[0] === 'owner'),
    ...problemsOfHeaders(headers, variables),
  ];
  const target = validated({
    source: 'the command line',
    fallbackName: hostOf(options.baseUrl),
    data: {
      regions: [{ name: 'default', baseUrl: options.baseUrl }],
      keys: takesNone ? 'none' : Object.fromEntries(given),
      models: seen?.models ?? options.models.map((id) => ({ id, protocols })),
      ...(seen === undefined ? {} : { names: seen.names, credentials: seen.credentials }),
      headers,
      ...flagsOf(restrictions),
    },
    places,
    problems,
    unknown: new Set(problems.map(({ field }) => field)),
    secrets: new Set(takesNone ? [] : given.map(([, value]) => value)),
    variables,
  });
  return withProxies(target, environment);
}

function problemsBefore({ models }: InlineOptions, hasOwner: boolean): Problem[] {
  const problems: Problem[] = [];
  if (!hasOwner) {
    const name = keyVariables.owner;
    const message =
      `${name} is not set: it holds the key to call the gateway with. ` +
      `Set it first: export ${name}='<the key>'; or ${name}=${noKeys} where the gateway takes no keys`;
    problems.push({ place: null, field: name, message, source: 'the environment' });
  }
  if (models.length === 0) {
    const message = 'Name a model of the gateway to test with: --model ID.';
    problems.push({ place: null, field: '--model', message });
  }
  return problems;
}

function problemsOfHeaders(
  headers: CustomHeaders,
  variables: Readonly<Record<string, string>>,
): Problem[] {
  const missing = Object.values(headers)
    .flatMap(variablesIn)
    .filter((name) => variables[name] === undefined);
  return missing.map((name) => ({
    place: null,
    field: name,
    source: 'the environment',
    message: `${name} is not set: a --header names it. Set it first: export ${name}='<its value>'`,
  }));
}

const places: Places = {
  problem: (path, message) => ({ place: null, field: optionOf(path), message }),
  problemWithKey: (path, message) => ({ place: null, field: optionOf(path), message }),
};

function optionOf(path: Path): string {
  if (path[0] === 'headers') return '--header';
  if (path[0] === 'regions') return '--base-url';
  const restriction = restrictionNames.find((name) => restrictionFields[name] === path[0]);
  if (restriction !== undefined) return `--restriction ${restriction}`;
  if (path[0] === 'models') return path[2] === 'protocols' ? '--protocol' : '--model';
  const key = keyNames.find((name) => name === path[1]);
  return keyVariables[key ?? 'owner'];
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'target';
}
