import {
  type Capability,
  capabilities,
  capabilitiesOf,
  capabilityFamilies,
  cutLine,
  declaredAs,
  type Protocol,
  protocolOfCapability,
  protocols,
} from '../../kernel/core/index.ts';
import { capabilityInFile } from '../../kernel/targets/index.ts';
import type { Discovered } from './discovery.ts';

const marks = {
  yes: { sign: '✓', says: 'served' },
  no: { sign: '✗', says: 'refused' },
  ignored: { sign: '!', says: 'answered, but not done' },
  unknown: { sign: '?', says: 'not seen' },
  none: { sign: '·', says: 'not offered' },
} as const;

type Mark = keyof typeof marks;

/** Number of models side by side, in 80 columns. */
const perBlock = 16;

/** Observations of each model, in lines of at most 80 columns. */
export function seenTable(models: readonly Discovered[]): string[] {
  const used = new Set<Mark>();
  const lines: string[] = [];
  for (let start = 0; start < models.length; start += perBlock) {
    const block = models.slice(start, start + perBlock);
    const number = (index: number): string => String(start + index + 1);
    lines.push(
      ...block.map(({ id }, index) => `  ${number(index).padStart(2)}  ${cutLine(id, 70)}`),
      '',
    );
    const row = (name: string, markOf: (model: Discovered) => Mark): void => {
      const all = block.map(markOf);
      if (all.every((mark) => mark === 'none')) return;
      for (const mark of all) used.add(mark);
      const signs = all.map((mark) => marks[mark].sign.padStart(3));
      lines.push(`  ${name.padEnd(20)}${signs.join('')}`);
    };
    lines.push(`${' '.repeat(22)}${block.map((_, index) => number(index).padStart(3)).join('')}`);
    for (const protocol of protocols) {
      row(declaredAs[protocol], ({ speaks }) => ofOne(speaks[protocol], false));
    }
    for (const [name, within] of rows) {
      const isAlike = block.every((model) => marksOf(model, within).size <= 1);
      if (isAlike) row(name, (model) => [...marksOf(model, within)][0] ?? 'none');
      // The file lists each protocol separately in this case.
      else
        for (const one of within) row(capabilityInFile(one), (model) => ofCapability(model, one));
    }
    lines.push('');
  }
  const legend = [...used].map((mark) => `${marks[mark].sign} ${marks[mark].says}`);
  return [...lines, ...inLines(legend)];
}

/** A capability, or a whole family, by its name in target files. */
const rows: readonly (readonly [name: string, within: readonly Capability[]])[] = [
  ...capabilities
    .filter((name) => !name.includes(':'))
    .map((name) => [capabilityInFile(name), [name]] as const),
  ...capabilityFamilies.map((family) => [family, capabilitiesOf(family)] as const),
];

function ofOne(has: boolean | null, isCapability: boolean): Mark {
  if (has === null) return 'unknown';
  if (has) return 'yes';
  return isCapability ? 'no' : 'none';
}

function marksOf(model: Discovered, within: readonly Capability[]): ReadonlySet<Mark> {
  return new Set(within.map((one) => ofCapability(model, one)).filter((mark) => mark !== 'none'));
}

function ofCapability(model: Discovered, name: Capability): Mark {
  if (!isPossible(model, name)) return 'none';
  if (model.ignores.includes(name)) return 'ignored';
  const has = model.supports.includes(name) ? true : model.lacks.includes(name) ? false : null;
  return ofOne(has, true);
}

/** The protocols that a target file declares: those that were seen, or else the possible ones. */
export function declarable({ speaks }: Pick<Discovered, 'speaks'>): readonly Protocol[] {
  const seen = protocols.filter((one) => speaks[one] === true);
  return seen.length > 0 ? seen : protocols.filter((one) => speaks[one] === null);
}

/** True if a model speaks a protocol that the capability belongs to, as far as is known. */
function isPossible(model: Discovered, capability: Capability): boolean {
  const protocol = protocolOfCapability[capability];
  // Functions are called over any protocol but System One.
  const able = protocol === null ? protocols.filter((one) => one !== 'systemone') : [protocol];
  return declarable(model).some((one) => able.includes(one));
}

/** The capabilities that are unknown. */
export function openOf(model: Discovered): Capability[] {
  const { supports, lacks, ignores } = model;
  return capabilities.filter(
    (name) =>
      isPossible(model, name) &&
      !supports.includes(name) &&
      !lacks.includes(name) &&
      !ignores.includes(name),
  );
}

function inLines(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 70)
      lines[lines.length - 1] += `  ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines;
}
