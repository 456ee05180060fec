import type { StreamingProtocol } from '../core/index.ts';
import { type Chosen, pairwiseRows, type StandingRow } from '../model/index.ts';
import { featureChoices, featureModes, keptApart } from '../protocols/index.ts';
import { hasSpecialId, type Model, permittedKeys, type Target } from '../targets/index.ts';
import { isIn } from './design.ts';
import { perTarget } from './per-target.ts';

interface ArrayRow {
  /** Name of the scenario's request that carries the features; null for a row that the array adds. */
  readonly carrier: string | null;
  readonly model: Model;
  /** A further region that has the model, or null. */
  readonly otherRegion: string | null;
  readonly chosen: Chosen;
}

/** The covering array over the features of generation requests of one protocol. */
interface FeatureArray {
  readonly rows: readonly ArrayRow[];
  /** Returns the row of a scenario's request, or of the request that shows that a model serves the protocol. */
  carriedBy(carrier: string | Model): ArrayRow | null;
  readonly pairs: readonly string[];
  readonly untried: readonly string[];
  /** Features that no request has, each with the reason. */
  readonly left: ReadonlyMap<string, string>;
}

/** The value of a choice that is not made. */
const plain = 'no';

const nothing: Chosen = Object.fromEntries(
  Object.keys(featureChoices).map((name) => [name, plain]),
);

/** An input of this size costs its tokens, so only these choices have to meet it. */
const longest = '64-kb';
const withLongest: readonly string[] = ['mode', 'path', 'coding', 'connection', 'region'];

/** A call would be seen: it has room. */
const forbidden: Chosen = {
  ...{ mode: 'body', tools: 'forbidden', output: plain, limit: plain, size: '8-kb' },
};

/** Requests of scenarios that stand anyway, with the choices that their own checks need. */
const carriers: Readonly<Record<string, Chosen>> = {
  // The usage of this call is compared with that of a request without a function.
  called: { ...nothing, mode: 'body', path: 'main', tools: 'forced' },
  'call-forbidden': forbidden,
  // The usage shows that the result is read.
  'tool-result': {
    ...{ mode: 'body', tools: 'results', system: plain, turns: plain, size: plain },
    ...{ thinking: plain, region: plain, letters: plain, user: plain },
  },
  // Bad input may have stopped the service where it was sent, and for its sender.
  afterwards: { mode: 'body', path: 'main', region: plain, user: plain },
};

/** Generative-content caches what one user repeats in one region: two carriers have one long beginning. */
const long: Chosen = { ...forbidden, system: 'told', turns: 'several', user: plain, region: plain };

/** One conversation ends by itself: nothing explains another ending. The model that offers least, if any, has it. */
const ordinary: Chosen = {
  ...{ turns: 'several', tools: plain, limit: plain, stop: plain, output: plain, thinking: plain },
};

/** Requests that name a model whose id has to be encoded in a path. */
const specialIds: Readonly<Record<string, Chosen>> = {
  'special-id/generate-content/v1beta': { mode: 'body', path: 'main' },
  'special-id/generate-content/v1': { mode: 'body', path: 'alternate' },
  'special-id/stream-generate-content/v1beta': { mode: 'stream', path: 'main' },
  'special-id/stream-generate-content/v1': { mode: 'stream', path: 'alternate' },
};

export const arrayAt = perTarget((protocol: StreamingProtocol, target: Target): FeatureArray => {
  const speakers = speakersOf(protocol, target);
  const [first, ...others] = speakers;
  if (first === undefined) {
    const left = new Map([['all', `no model speaks ${protocol}`]]);
    return { rows: [], carriedBy: () => null, pairs: [], untried: [], left };
  }
  const best: Model = first;
  const left = new Map<string, string>();
  const modes = Object.entries(featureModes[protocol]);
  const choices = [
    {
      name: 'mode',
      values: modes.flatMap(([mode, needs]) => (offered(`mode=${mode}`, needs) ? [mode] : [])),
    },
    ...(protocol === 'generative' ? [{ name: 'path', values: ['main', 'alternate'] }] : []),
    ...Object.entries(featureChoices).flatMap(([name, values]) => {
      const some = Object.entries(values).flatMap(([value, { needs }]) =>
        offered(`${name}=${value}`, needs(protocol)) ? [value] : [],
      );
      return some.length === 0 ? [] : [{ name, values: [plain, ...some] }];
    }),
  ];

  function offered(name: string, needs: readonly string[] | null): boolean {
    const lacking = needs?.find((one) => !best.supports.some((own) => own === one));
    if (needs === null) left.set(name, `${protocol} documents no form`);
    else if (lacking !== undefined)
      left.set(name, `no model of ${protocol} is said to support ${lacking}`);
    else if (name === 'region=other' && otherRegionOf(best, target) === null) {
      left.set(name, 'one region is judged');
    } else if (name === 'user=other' && !isOpenToOthers(best, target)) {
      left.set(name, 'no key of another user');
    } else return true;
    return false;
  }

  const slotOf = (model: Model, fixed: Chosen = {}): StandingRow => ({
    fixed: Object.fromEntries(
      Object.entries(fixed).filter(([choice, value]) =>
        choices.some((one) => one.name === choice && one.values.includes(value)),
      ),
    ),
    // Only the best model is known to obey; generative-content would need one more request for it.
    allows: (choice, value) =>
      (value !== 'forced' || model === best || protocol === 'generative') &&
      isAble(model, protocol, choice, value, target),
  });
  const odd = protocol === 'generative' ? speakers.find(hasSpecialId) : undefined;
  const given = [
    ...others.toReversed().map((model, n) => {
      return { name: declaredCarrier(model), model, fixed: n === 0 ? ordinary : {} };
    }),
    ...Object.entries(carriers).map(([name, fixed]) => {
      const isLong = protocol === 'generative' && ['call-forbidden', 'afterwards'].includes(name);
      const alone = name === 'afterwards' && others.length === 0 ? ordinary : {};
      return { name, model: best, fixed: { ...fixed, ...(isLong ? long : {}), ...alone } };
    }),
    ...(odd === undefined
      ? []
      : Object.entries(specialIds).map(([name, fixed]) => ({ name, model: odd, fixed }))),
  ].map(({ name, model, fixed }) => ({ name, model, slot: slotOf(model, fixed) }));
  const { rows, pairs, untried } = pairwiseRows({
    choices,
    slots: given.map(({ slot }) => slot),
    meet: (one, other) => keptApart(protocol, one, other) === null,
    // The other requests of a run have the plain values.
    wanted: (...pair) =>
      pair.every(([, value]) => value !== plain) &&
      (!pair.some(([, value]) => value === longest) ||
        pair.some(([name]) => withLongest.includes(name))),
    further: slotOf(best),
  });
  const all = rows.map((chosen, n): ArrayRow => {
    const { name = null, model = best } = given[n] ?? {};
    return { carrier: name, model, otherRegion: otherRegionOf(model, target), chosen };
  });
  return {
    rows: all,
    carriedBy: (carrier) => {
      const name = typeof carrier === 'string' ? carrier : declaredCarrier(carrier);
      return all.find((one) => one.carrier === name) ?? null;
    },
    ...{ pairs, untried, left },
  };
});

function declaredCarrier({ id }: Model): string {
  return `declared ${id}`;
}

/** Returns the owner's models of a protocol, those that offer most first. */
function speakersOf(protocol: StreamingProtocol, { models }: Target): readonly Model[] {
  return models
    .filter((model) => model.protocols.includes(protocol) && permittedKeys(model).includes('owner'))
    .toSorted((one, other) => other.supports.length - one.supports.length);
}

function isAble(
  model: Model,
  protocol: StreamingProtocol,
  choice: string,
  value: string,
  target: Target,
): boolean {
  if (value === plain || choice === 'path') return true;
  if (choice === 'region') return otherRegionOf(model, target) !== null;
  if (choice === 'user') return isOpenToOthers(model, target);
  if (choice === 'thinking' && model.supports.length === 0) return false;
  const needs =
    choice === 'mode'
      ? featureModes[protocol][value]
      : featureChoices[choice]?.[value]?.needs(protocol);
  return needs?.every((one) => model.supports.includes(one)) ?? false;
}

/** True if a second user has a key that may use a model. */
function isOpenToOthers(model: Model, { keys }: Target): boolean {
  return keys.otherUser !== undefined && permittedKeys(model).includes('otherUser');
}

/** Returns a further region that has a model, or null. */
function otherRegionOf(model: Model, { regions }: Target): string | null {
  return regions.slice(1).find(({ name }) => isIn(model, name))?.name ?? null;
}
