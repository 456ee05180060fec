import { nearest } from '../kernel/targets/index.ts';
import { type Defect, type Named, plainForms, type Shelf } from '../reference/index.ts';

/** Every planted fault and every legal variant, loaded on first use. */
export const shelf: Shelf = {
  async find({ kind, id }) {
    return (await shelved()).get(kind)?.get(id);
  },
  async hint({ kind, id }) {
    const all = await shelved();
    const other = kind === 'fault' ? 'variant' : 'fault';
    if (all.get(other)?.has(id) === true) return ` There is a ${other} of this name.`;
    const ids = [...(all.get(kind)?.keys() ?? [])];
    const [area = ''] = id.split('.');
    const near = [...(kind === 'fault' ? plainFormsNear(id) : []), ...nearest(id, ids, 3)];
    const meant =
      near.length > 0 ? near : ids.filter((one) => one.startsWith(`${area}.`)).slice(0, 5);
    const known = 'GET /_touchstone/faults and `touchstone serve --list-faults` list all.';
    return meant.length === 0 ? ` ${known}` : ` Did you mean ${inCode(meant)}? ${known}`;
  },
  async list() {
    const all = await shelved();
    return [...all].flatMap(([kind, defects]) =>
      [...defects.values()].map(({ id, what, regions }) => ({
        ...{ kind, id, what },
        ...(regions === undefined ? {} : { regions }),
      })),
    );
  },
};

type Shelved = ReadonlyMap<Named['kind'], ReadonlyMap<string, Defect>>;

let loading: Promise<Shelved> | undefined;

/** Loads the two thousand faults and variants on demand, because loading takes a while. */
function shelved(): Promise<Shelved> {
  loading ??= Promise.all([import('./faults/index.ts'), import('./variants/index.ts')]).then(
    ([{ faults }, { variants }]) =>
      new Map([
        ['fault', byId(faults)],
        ['variant', byId(variants)],
      ]),
  );
  return loading;
}

/** Returns the plain forms that are similar to an id, compared by the word before the number. */
function plainFormsNear(id: string): string[] {
  const wordOf = (text: string): string => text.split(':')[0] ?? '';
  const forms = plainForms.map(({ form }) => form);
  const near = nearest(wordOf(id), forms.map(wordOf), 3);
  return forms.filter((form) => near.includes(wordOf(form)));
}

function byId(defects: readonly Defect[]): ReadonlyMap<string, Defect> {
  return new Map(defects.map((defect) => [defect.id, defect]));
}

function inCode(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(', ');
}
