import { asks, type Capability, capabilities } from '../../kernel/core/index.ts';
import { describeReference, type Model, type Target } from '../../kernel/targets/index.ts';
import { startReference } from '../../reference/index.ts';

/**
 * Targets that offer or give less than the reference gateway, each in one respect. What a scenario
 * needs is said for them: without it, it would blame a gateway for what it never offered.
 */
export async function modestTargets(): Promise<ReadonlyMap<string, Target>> {
  const reference = await startReference();
  const whole = describeReference(reference, undefined);
  await reference.close();
  const { keys, regions, probes } = whole;
  return new Map<string, Target>([
    ['without a second region', { ...whole, regions: regions.slice(0, 1) }],
    ['with a single region', { ...whole, regions: regions.slice(0, 1), singleRegion: true }],
    ...keyNames.map((name): [string, Target] => {
      const { [name]: _, ...others } = keys;
      return [
        `without the key ${name}`,
        { ...whole, keys: { ...others, owner: keys.owner ?? '' } },
      ];
    }),
    ['without a ledger', { ...whole, probes: { ...probes, ledger: [] } }],
    ['without a clock', { ...whole, probes: { ...probes, clock: [] } }],
    ...needed.flatMap((name): [string, Target][] => [
      [`lacking ${name}`, withModels(whole, (model) => lacking(model, name))],
      [`silent about ${name}`, withModels(whole, (model) => silentAbout(model, name))],
    ]),
    ['supporting everything', withModels(whole, supportingEverything)],
    ['permitting everything', withModels(whole, (model) => ({ ...model, permitted: everyKey }))],
    ['permitting the owner only', withModels(whole, (model) => ({ ...model, permitted: owner }))],
  ]);
}

/** No scenario needs a model that does what can be asked for in addition to a text: they ask, and see. */
const needed = capabilities.filter((name) => !asks.some((ask) => name.startsWith(`${ask}:`)));

const keyNames = ['sameUser', 'otherUser', 'restricted'] as const;
const owner = ['owner'] as const;
const everyKey = [...owner, ...keyNames];

/** The target file says of no capability whether a model has it: what is tried then is a MAY. */
export function silentAboutAll(target: Target): Target {
  return capabilities.reduce(
    (silent, name) => withModels(silent, (model) => silentAbout(model, name)),
    target,
  );
}

/** Every key may use every model, but the owner may not use one; generative-content has none alone. */
export function permittingOthers(target: Target): Target {
  const models = target.models
    .filter(({ protocols }) => protocols.some((name) => name !== 'generative'))
    .map((model) => ({ ...model, permitted: everyKey }));
  const others = models.slice(0, 1).map((model) => ({
    ...model,
    id: 'not-for-the-owner',
    protocols: ['responses', 'generative'] as const,
    permitted: ['restricted'] as const,
  }));
  return { ...target, models: [...models, ...others] };
}

/** No model says the same twice: nobody may compare what it says. */
export function withoutFixedWords(target: Target): Target {
  return withModels(target, (model) => ({ ...model, deterministic: false }));
}

/** A System One of its own, of which only what the specification says may be asked. */
export function withOwnSystemOne(target: Target): Target {
  const questions = { polite: { type: 'noul', instructions: 'Is the text polite?' } };
  const body = { state: 'Thank you.', questions, max_tokens: 16 };
  return { ...target, systemone: { dialect: 'custom', body } };
}

function withModels(target: Target, change: (model: Model) => Model): Target {
  return { ...target, models: target.models.map(change) };
}

function lacking(model: Model, name: Capability): Model {
  if (!model.supports.includes(name)) return model;
  return { ...silentAbout(model, name), lacks: [...model.lacks, name] };
}

function silentAbout(model: Model, name: Capability): Model {
  const without = (names: readonly Capability[]) => names.filter((one) => one !== name);
  return { ...model, supports: without(model.supports), lacks: without(model.lacks) };
}

function supportingEverything(model: Model): Model {
  return { ...model, supports: capabilities, lacks: [] };
}
