import type { IncomingHttpHeaders } from 'node:http';
import type { Seams } from '../call.ts';
import { Refusal } from '../refusal.ts';
import { type Defect, withDefect } from '../seams.ts';
import { plainFault, plainForms } from './plain-faults.ts';

type DefectKind = 'fault' | 'variant';

/** Name of a fault or a variant. */
export interface Named {
  readonly kind: DefectKind;
  readonly id: string;
}

/** Description of a fault or a variant that requests can select; `regions` if it applies to these only. */
type Listed = Named & Pick<Defect, 'what' | 'regions'>;

/** Faults and legal variants, by their ids. */
export interface Shelf {
  /** Returns the defect; undefined if none has this name. */
  find(named: Named): Promise<Defect | undefined>;
  /** Returns similar names as the end of a sentence; empty if there are none. */
  hint(named: Named): Promise<string>;
  list(): Promise<readonly Listed[]>;
}

/** A fault or a variant that applies without a request for it. */
export interface Rated extends Named {
  /** Fraction of the requests that it applies to: 1 for all of them. */
  readonly rate: number;
}

export interface ChoosingOptions {
  readonly shelf: Shelf;
  readonly always?: readonly Rated[];
  /** Seed that decides which requests get the defects with a rate below 1. Default 1. */
  readonly seed?: number;
}

/** Faults and variants of one request, and the seams that include them. */
interface Chosen {
  readonly ids: readonly string[];
  readonly seams: Seams;
}

/** Headers with comma-separated ids. */
const headerNames: Readonly<Record<DefectKind, string>> = {
  fault: 'x-touchstone-fault',
  variant: 'x-touchstone-variant',
};

/** Path prefix for clients that cannot set headers. */
const prefixed = /^\/_touchstone\/(fault|variant)\/([^/]+)(?=\/)/;

/** Maximum number of cached combinations; beyond it, seams are created again. */
const mostKept = 1000;

/** Faults and variants for single requests, requested or drawn. */
export class Choosing {
  readonly #base: Seams;
  readonly #options: ChoosingOptions;
  /** Seams by the ids of their defects, cached so that a defect keeps its state between requests. */
  readonly #seams = new Map<string, Seams>();
  #requests = 0;

  /** @param base seams below the defects */
  constructor(base: Seams, options: ChoosingOptions) {
    this.#base = base;
    this.#options = options;
  }

  /** Returns the path prefix that selects faults or variants; empty without one. */
  static prefixOf(path: string): string {
    return path.startsWith('/_touchstone/') ? (prefixed.exec(path)?.[0] ?? '') : '';
  }

  /** Returns the faults and variants of a request. Requested ones take precedence over drawn ones. */
  namesFor(headers: IncomingHttpHeaders, prefix: string): readonly Named[] {
    const names: Named[] = [];
    const { always = [], seed = 1 } = this.#options;
    if (always.length > 0) {
      const number = this.#requests++;
      for (const [index, one] of always.entries()) {
        if (one.rate >= 1 || drawn(seed, number, index) < one.rate) names.push(one);
      }
    }
    const [, kind, ids] = prefix === '' ? [] : (prefixed.exec(`${prefix}/`) ?? []);
    if (kind !== undefined && ids !== undefined) {
      names.push(...listed(kind === 'variant' ? kind : 'fault', decoded(ids)));
    }
    for (const kind of ['fault', 'variant'] as const) {
      const value = headers[headerNames[kind]];
      if (typeof value === 'string') names.push(...listed(kind, value));
    }
    return names;
  }

  /** @throws {Refusal} if a fault does not exist */
  async choose(names: readonly Named[], region: string): Promise<Chosen> {
    const defects: Defect[] = [];
    for (const named of names) {
      const defect = await findDefect(named, this.#options.shelf);
      if (defect.regions?.includes(region) !== false) defects.push(defect);
    }
    const ids = defects.map(({ id }) => id);
    // A variant may have the name of a fault.
    const key = `${names.map(({ kind }) => kind)} ${ids}`;
    const known = this.#seams.get(key);
    const seams = known ?? defects.reduce((under, one) => withDefect(one, under), this.#base);
    if (this.#seams.size >= mostKept) this.#seams.clear();
    this.#seams.set(key, seams);
    return { ids, seams };
  }

  /** Returns all available defects, including the forms of the plain faults. */
  async list(): Promise<readonly Listed[]> {
    return listDefects(this.#options.shelf);
  }
}

/** @throws {Refusal} with similar names, if none has this name */
export async function findDefect(named: Named, shelf: Shelf): Promise<Defect> {
  const plain = named.kind === 'fault' ? plainFault(named.id) : undefined;
  const found = plain ?? (await shelf.find(named));
  if (found !== undefined) return found;
  const { kind, id } = named;
  const shown = id.slice(0, 80);
  const why = kind === 'fault' ? misspelt(id) : null;
  const message = why ?? `There is no ${kind} \`${shown}\`.${await shelf.hint(named)}`;
  throw new Refusal('invalid-value', message);
}

/** Returns the error in a misspelt plain fault; null if the name is not of that form. */
function misspelt(id: string): string | null {
  const [plain = '', rate] = id.split('@');
  if (rate !== undefined) {
    return `\`${id.slice(0, 80)}\`: a rate belongs to all requests (--fault); this one asks for itself.`;
  }
  const [word] = plain.split(':');
  const meant = plainForms.filter(({ form }) => form.split(':')[0] === word);
  if (meant.length === 0) return null;
  const forms = meant.map(({ form, what }) => `\`${form}\`: ${what}`).join(' ');
  return `\`${id.slice(0, 80)}\` is not of its form. ${forms}`;
}

export async function listDefects(shelf: Shelf): Promise<readonly Listed[]> {
  const plain = plainForms.map(({ form, what }) => ({ kind: 'fault' as const, id: form, what }));
  return [...plain, ...(await shelf.list())];
}

function listed(kind: DefectKind, ids: string): Named[] {
  return ids
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
    .map((id) => ({ kind, id }));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a number from 0 to 1 that depends only on the arguments. */
function drawn(seed: number, number: number, index: number): number {
  let hash = Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ Math.imul(index + 1, 0xc2b2ae35), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
