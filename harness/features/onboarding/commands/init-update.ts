import { readFileSync } from 'node:fs';
import { type Capability, declaredAs, protocols } from '../../../kernel/core/index.ts';
import { writeText } from '../../../kernel/redaction/index.ts';
import {
  capabilitiesInFile,
  loadTarget,
  type Model,
  readCapability,
  readTarget,
  type Target,
} from '../../../kernel/targets/index.ts';
import { type Terminal, UsageError } from '../../../kernel/terminal/index.ts';
import { type Addition, type Discovered, withAdditions } from '../index.ts';

/** Capabilities of a model according to the command line. */
export interface Declared {
  readonly model: string;
  readonly supports: readonly string[];
}

/**
 * Returns the capabilities of models that the command line adds to a target file.
 *
 * @throws {UsageError}
 */
export function declaredAdditions(
  file: string,
  given: readonly Declared[],
  { environment }: Terminal,
): Addition[] {
  const { models, names } = loadTarget(file, environment, { needsKeys: false });
  return given.flatMap(({ model: id, supports }) => {
    const model = models.find((one) => one.id === id);
    if (model === undefined) throw new UsageError(`--supports ${id}=…: ${file} has no such model.`);
    const capabilities = supports.flatMap((name) => {
      const read = readCapability(name, names, model.protocols);
      if (read === undefined) throw new UsageError(`--supports: "${name}" is not a capability.`);
      return read;
    });
    return additionFor(model, capabilities, []);
  });
}

/** Returns the observed features of models that the target file does not list. */
export function seenAdditions(
  { models }: Target,
  seen: readonly Discovered[],
  generated: boolean,
): Addition[] {
  return seen.flatMap((found) => {
    const model = models.find(({ id }) => id === found.id);
    if (model === undefined) return [];
    // Only a generation proves that a protocol is served, and many more checks then apply.
    const more = protocols.filter(
      (protocol) =>
        generated && found.speaks[protocol] === true && !model.protocols.includes(protocol),
    );
    return additionFor(
      { ...model, protocols: [...model.protocols, ...more] },
      found.supports,
      found.lacks,
      more.map((protocol) => declaredAs[protocol]),
    );
  });
}

function additionFor(
  model: Model,
  supports: readonly Capability[],
  lacks: readonly Capability[],
  more: readonly string[] = [],
): Addition[] {
  const isOpen = (name: Capability): boolean =>
    !model.supports.includes(name) && !model.lacks.includes(name);
  const addition = {
    model: model.id,
    protocols: more,
    supports: written(supports.filter(isOpen), model),
    lacks: written(lacks.filter(isOpen), model),
  };
  const isEmpty = [addition.supports, addition.lacks, more].every(({ length }) => length === 0);
  return isEmpty ? [] : [addition];
}

/** Returns names in the form of a target file. A family is used only if the file does not name any of it yet. */
function written(names: readonly Capability[], { protocols: spoken }: Model): string[] {
  return capabilitiesInFile(names, spoken);
}

/** Writes additions to the file, and prints them. */
export function writeAdditions(
  file: string,
  additions: readonly Addition[],
  { stdout, environment }: Terminal,
): void {
  const before = readFileSync(file, 'utf8');
  const after = withAdditions(before, additions);
  if (after === before) {
    stdout.write(`${file} says all of that already.\n`);
    return;
  }
  // The new file must load before it is written.
  readTarget(after, file, environment, { needsKeys: false });
  writeText(file, after);
  for (const { model, protocols: spoken = [], supports = [], lacks = [] } of additions) {
    const said = [
      ...(spoken.length === 0 ? [] : [`declares ${spoken.join(', ')}`]),
      ...(supports.length === 0 ? [] : [`supports ${supports.join(', ')}`]),
      ...(lacks.length === 0 ? [] : [`lacks ${lacks.join(', ')}`]),
    ];
    stdout.write(`${file}: ${model} ${said.join('; ')}\n`);
  }
}
