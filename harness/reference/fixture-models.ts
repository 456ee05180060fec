import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { isArray, isObject, type Json } from './json.ts';
import { type KeyRole, keyRoles } from './keys.ts';

/** Model of the reference gateway, as in `fixtures/models.yaml`. */
export interface FixtureModel {
  readonly id: string;
  /** `responses`, `vendorA-messages`, `vendorB`, `chat`, `systemone`. */
  readonly protocols: readonly string[];
  readonly supports: readonly string[];
  readonly lacks: readonly string[];
  /** True if the model can think; if false, a request for thinking is refused. */
  readonly thinks: boolean;
  readonly permitted: readonly KeyRole[];
}

export type ServedModel = Omit<FixtureModel, 'thinks'>;

/** Returns the models as a target file describes them, which does not mention thinking. */
export function asServed(models: readonly FixtureModel[]): readonly ServedModel[] {
  return models.map(({ thinks: _, ...model }) => model);
}

let loaded: readonly FixtureModel[] | undefined;

/**
 * Returns the models of `fixtures/models.yaml`, which is read once, because hundreds of gateways run in one
 * process. Throws an error that names the entry if the file is invalid.
 */
export function fixtureModels(): readonly FixtureModel[] {
  loaded ??= readModels(modelsFile());
  return loaded;
}

/** Returns the model with the most capabilities. */
export function ablest([first, ...others]: readonly FixtureModel[]): FixtureModel {
  if (first === undefined) throw new Error('There is no model.');
  return others.reduce(
    (best, one) => (one.supports.length > best.supports.length ? one : best),
    first,
  );
}

/** Returns the models, and additional ones with these ids and the capabilities of the ablest model. */
export function withModels(
  models: readonly FixtureModel[],
  ids: readonly string[],
): readonly FixtureModel[] {
  const more = [...new Set(ids)].filter((id) => !models.some((model) => model.id === id));
  return [...models, ...more.map((id) => ({ ...ablest(models), id }))];
}

function readModels(file: string): readonly FixtureModel[] {
  const list: Json = parse(readFileSync(file, 'utf8'));
  if (!isArray(list)) throw new Error(`${file}: expected a list of models`);
  return list.map((entry, index) => {
    if (!isObject(entry) || typeof entry.id !== 'string') {
      throw new Error(`${file}: entry ${index}: expected a model with an id`);
    }
    const names = (member: string): string[] => {
      const value = entry[member];
      if (!isArray(value) || !value.every((v) => typeof v === 'string')) {
        throw new Error(`${file}: ${entry.id}: ${member}: expected a list of names`);
      }
      return value.filter((v) => typeof v === 'string');
    };
    const permitted = names('permitted');
    return {
      id: entry.id,
      protocols: names('protocols'),
      supports: names('supports'),
      lacks: names('lacks'),
      thinks: entry.thinks === true,
      permitted: keyRoles.filter((role) => permitted.includes(role)),
    };
  });
}

/** Finds the file at the root of the package, which is one level further up in the built package. */
function modelsFile(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'fixtures', 'models.yaml');
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) {
      throw new Error(
        'fixtures/models.yaml not found above the reference gateway: the package is incomplete',
      );
    }
  }
}
