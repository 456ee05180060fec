import {
  type Capability,
  capabilities,
  declaredAs,
  type Gap,
  type Protocol,
  protocolOfCapability,
  type Restriction,
  restrictionFields,
  restrictionsSaid,
} from '../core/index.ts';
import type { Keys, Model, Probes, Target } from './target.ts';
import { capabilityInFile } from './vocabulary.ts';

const specialCharacters = /[/: ]/;

/** True if the id of a model has to be encoded in a path. */
export function hasSpecialId({ id }: Pick<Model, 'id'>): boolean {
  return specialCharacters.test(id);
}

/** Requirements on a model. Any model that meets them is suitable. */
export interface ModelRole {
  readonly speaks?: Protocol;
  readonly notSpeaks?: Protocol;
  /** Required capabilities. Each implies its protocol. */
  readonly supports?: readonly Capability[];
  /** Capabilities that the model must lack. Each implies its protocol. */
  readonly lacks?: readonly Capability[];
  /** Capabilities that the target file declares neither as supported nor as lacking. Each implies its protocol. */
  readonly undeclared?: readonly Capability[];
  /** A key that must have permission for the model, in addition to the owner's. */
  readonly permittedFor?: keyof Keys;
  /** A key that must have no permission for the model. */
  readonly notPermittedFor?: keyof Keys;
  /** An id that has to be encoded in a path. */
  readonly specialId?: boolean;
}

/** Reason why a part of a target cannot be used. */
export type Missing =
  /** Not offered, or without anything to try it on. No target file could change that. */
  | {
      readonly kind: 'not-applicable';
      readonly reason: string;
      /** Identifiers that no model declares, if that is the reason. */
      readonly gap?: Gap;
      readonly restriction?: Restriction;
    }
  /** Unknown or not given. The reason names the addition to the target file. */
  | {
      readonly kind: 'untestable';
      readonly reason: string;
      readonly gap: Gap;
      /** The restriction of the target file that excludes it. */
      readonly restriction?: Restriction;
    };

type FoundModel = { readonly kind: 'found'; readonly model: Model } | Missing;
type Given = { readonly kind: 'found' } | Missing;

/** Returns the first model of the target that meets a role. */
export function findModel(target: Target, role: ModelRole): FoundModel {
  const narrowed = narrow(target, role);
  if ('kind' in narrowed) return narrowed;
  const { models } = narrowed;
  const permitted = byPermission(models, role);
  if ('kind' in permitted) return permitted;
  const found = byCapability(permitted.models, role);
  const left = models.length > permitted.models.length && role.undeclared === undefined;
  return found.kind === 'not-applicable' && left ? forAnotherKey(models, role) : found;
}

/** Returns `found` if the target gives a key, or the reason why it lacks it. */
function needKey(target: Target, key: keyof Keys): Given {
  if (target.keys[key] !== undefined) return { kind: 'found' };
  const restriction = restrictionOnKey(target, key);
  if (restriction !== undefined) {
    const reason = `the gateway has no such key: \`${restrictionFields[restriction]}\``;
    return { ...notApplicable(reason), restriction };
  }
  const [usual] = restrictionsOfKey[key];
  const instead =
    usual === undefined ? '' : `; or say \`${restrictionFields[usual]}: true\` where there is none`;
  return untestable(
    'key',
    [key],
    `add \`keys.${key}\` to the target file: ${keyMeaning[key]}${instead}`,
  );
}

export const restrictionsOfKey: Readonly<Record<keyof Keys, readonly Restriction[]>> = {
  owner: [],
  sameUser: ['one-key-per-user'],
  otherUser: ['single-user'],
  // The restricted key is a second key of the user, too.
  restricted: ['no-permissions', 'one-key-per-user'],
};

/** The restriction of a target that excludes a key. Undefined if none does. */
function restrictionOnKey(target: Target, key: keyof Keys): Restriction | undefined {
  const said = restrictionsSaid(target);
  return restrictionsOfKey[key].find((name) => said.includes(name));
}

/** Returns `found` if the target names enough regions, or the reason why it does not. */
function needRegions(target: Target, count: number): Given {
  if (target.regions.length >= count) return { kind: 'found' };
  if (target.singleRegion) {
    return { ...notApplicable('the gateway has a single region'), restriction: 'single-region' };
  }
  return untestable(
    'region',
    [],
    `add ${count === 2 ? 'a second region' : `${count} regions`} under \`regions\` of the target ` +
      `file, which names ${target.regions.length}; or say \`singleRegion: true\` where there is no other`,
  );
}

/** Returns `found` if the target has a probe, or the reason why it lacks it. */
function needProbe(target: Target, probe: keyof Probes): Given {
  if (target.probes[probe].length > 0) return { kind: 'found' };
  if (target.withoutProbes) {
    const missing = untestable('probe', [probe], `the gateway has no probe \`${probe}\``);
    return { ...missing, restriction: 'without-probes' };
  }
  return untestable(
    'probe',
    [probe],
    `add \`probes.${probe}.url\` to the target file: ${probeMeaning[probe]}; or say ` +
      '`withoutProbes: true` where there is none',
  );
}

/** Returns `found` if the client under test knows tasks besides generating, or the reason why not. */
function needTasks({ client }: Target): Given {
  if (client?.tasks === true) return { kind: 'found' };
  if (client?.upstreamOf !== undefined) {
    return notApplicable('the front of a gateway is asked for texts alone');
  }
  return untestable(
    'tasks',
    [],
    'the command is asked for texts alone: with `--tasks` it is handed tasks, and with `--adapter` it knows them',
  );
}

/** Answers whether a target gives a thing: `found`, or the reason why it lacks it. */
export const given = { key: needKey, probe: needProbe, regions: needRegions, tasks: needTasks };

export function permittedKeys(model: Model): readonly (keyof Keys)[] {
  return model.permitted ?? ['owner', 'sameUser', 'otherUser'];
}

const keyMeaning: Readonly<Record<keyof Keys, string>> = {
  owner: 'the key of the user who runs the tests',
  sameUser: 'a second key of the user who owns `keys.owner`',
  otherUser: 'a key of another user',
  restricted: 'a key of the same user without permission for the models under test',
};

const probeMeaning: Readonly<Record<keyof Probes, string>> = {
  ledger: 'an endpoint that shows what was recorded and charged for a request',
  clock: 'an endpoint that ages a stored response',
};

/** The models that meet a role except for its capabilities, or the condition that no model meets. */
function narrow(target: Target, role: ModelRole): { models: readonly Model[] } | Missing {
  let models = target.models.filter((model) => permittedKeys(model).includes('owner'));
  if (models.length === 0) {
    const what = 'add a model that the owner key may use to `models` of the target file';
    return untestable('model', [], what);
  }
  for (const protocol of protocolsOf(role)) {
    models = models.filter((model) => model.protocols.includes(protocol));
    if (models.length === 0) {
      return notApplicable(`no model ${declares(protocol)}`, 'protocol', [declaredAs[protocol]]);
    }
  }
  if (role.notSpeaks !== undefined) {
    const { notSpeaks } = role;
    models = models.filter((model) => !model.protocols.includes(notSpeaks));
    if (models.length === 0) return notApplicable(`every model ${declares(notSpeaks)}`);
  }
  if (role.specialId === true) {
    models = models.filter(hasSpecialId);
    if (models.length === 0) {
      return notApplicable(`no model has an id that matches ${specialCharacters}`);
    }
  }
  return { models };
}

function byPermission(
  candidates: readonly Model[],
  { permittedFor, notPermittedFor }: ModelRole,
): { models: readonly Model[] } | Missing {
  let models = candidates;
  if (permittedFor !== undefined) {
    models = models.filter((model) => permittedKeys(model).includes(permittedFor));
    if (models.length === 0) {
      return untestable(
        'permission',
        [permittedFor],
        `add \`${permittedFor}\` to \`permitted\` of one of ${names(candidates)}: ` +
          `a model that both the owner and \`keys.${permittedFor}\` may use is needed`,
      );
    }
  }
  if (notPermittedFor !== undefined) {
    const before = models;
    models = models.filter((model) => !permittedKeys(model).includes(notPermittedFor));
    if (models.length === 0) {
      return untestable(
        'permission',
        [notPermittedFor],
        `every one of ${names(before)} is permitted for \`keys.${notPermittedFor}\`: ` +
          'add a model that this key may not use',
      );
    }
  }
  return { models };
}

function byCapability(candidates: readonly Model[], role: ModelRole): FoundModel {
  const undeclared = role.undeclared ?? [];
  const model = candidates.find((one) => fits(one, role));
  if (model !== undefined) return { kind: 'found', model };
  const isDeclared = (capability: Capability) =>
    candidates.every((one) => declaresCapability(one, capability));
  if (undeclared.some(isDeclared)) return notApplicable(everyModelDeclares);
  const open = candidates.filter((one) => !contradicts(one, role));
  if (open.length === 0) {
    return notApplicable(
      `no model ${wanted(role)}${among(role)}`,
      'capability',
      lackedBy(candidates, role),
    );
  }
  const missing = unknownOf(open, role);
  return untestable(
    'capability',
    missing,
    `declare in the target file whether ${names(open, 'or')} supports or lacks ${missing
      .map((name) => `\`${name}\``)
      .join(', ')}`,
  );
}

/**
 * Returns the reason why no model with a suitable permission has the capabilities, although other models have them
 * or may have them. If there are two such models, one can be permitted and the other not, so the target file lacks
 * a permission. A single model cannot be both: a gateway with one model of a kind is not to blame, and no target
 * file could help.
 */
function forAnotherKey(models: readonly Model[], role: ModelRole): FoundModel {
  const able = models.filter((one) => fits(one, role));
  const open = models.filter((one) => !contradicts(one, role));
  if (open.length === 0) return notApplicable(`no model ${wanted(role)}${among(role)}`);
  const { permittedFor, notPermittedFor } = role;
  const who =
    permittedFor === undefined
      ? `\`keys.${notPermittedFor}\` may not use`
      : `\`keys.${permittedFor}\` may use`;
  const none = `no model that ${who} ${wanted(role)}${among(role)}`;
  if (open.length === 1) return notApplicable(none);
  if (able.length < 2) {
    const unknown = open.filter((one) => !fits(one, role));
    const what = `${none}: declare in the target file whether ${names(unknown, 'or')} does`;
    return untestable('capability', unknownOf(open, role), what);
  }
  return untestable(
    'permission',
    [permittedFor ?? notPermittedFor ?? ''],
    permittedFor === undefined
      ? `${none}: leave \`${notPermittedFor}\` out of \`permitted\` of one of ${names(able)}, and give a key that may not use it`
      : `${none}: add \`${permittedFor}\` to \`permitted\` of one of ${names(able)}, and give a key that may use it`,
  );
}

/** Identifiers of a role's capabilities that some model does not declare. */
function unknownOf(models: readonly Model[], { supports = [], lacks = [] }: ModelRole): string[] {
  return capabilities
    .filter((one) => supports.includes(one) || lacks.includes(one))
    .filter((one) => models.some((model) => !declaresCapability(model, one)))
    .map(capabilityInFile);
}

/** Identifiers of a role's capabilities that every model is declared to lack. */
function lackedBy(models: readonly Model[], { supports = [] }: ModelRole): string[] {
  return capabilities
    .filter((one) => supports.includes(one) && models.every(({ lacks }) => lacks.includes(one)))
    .map(capabilityInFile);
}

function fits(model: Model, { supports = [], lacks = [], undeclared = [] }: ModelRole): boolean {
  return (
    supports.every((capability) => model.supports.includes(capability)) &&
    lacks.every((capability) => model.lacks.includes(capability)) &&
    !undeclared.some((capability) => declaresCapability(model, capability))
  );
}

function contradicts(model: Model, { supports = [], lacks = [] }: ModelRole): boolean {
  return (
    supports.some((capability) => model.lacks.includes(capability)) ||
    lacks.some((capability) => model.supports.includes(capability))
  );
}

/** Returns the capabilities of a role in a fixed order without duplicates. */
function wanted({ supports, lacks }: ModelRole): string {
  const said = (verb: string, list: readonly Capability[] = []): string[] =>
    capabilities
      .filter((one) => list.includes(one))
      .map((one) => `${verb} \`${capabilityInFile(one)}\``);
  return [...said('supports', supports), ...said('lacks', lacks)].join(' and ');
}

/** One text for all capabilities, so that equal reasons are reported together. */
const everyModelDeclares = 'every model declares this capability';

function declaresCapability({ supports, lacks }: Model, capability: Capability): boolean {
  return supports.includes(capability) || lacks.includes(capability);
}

function protocolsOf(role: ModelRole): Set<Protocol> {
  const { supports = [], lacks = [], undeclared = [] } = role;
  const named = [...supports, ...lacks, ...undeclared].map((name) => protocolOfCapability[name]);
  return new Set([role.speaks, ...named].filter((protocol) => protocol != null));
}

function among({ speaks }: ModelRole): string {
  return speaks === undefined ? '' : ` among those that declare \`${declaredAs[speaks]}\``;
}

function declares(protocol: Protocol): string {
  return `declares \`${declaredAs[protocol]}\``;
}

/** The ids of the models, limited to the first ones. */
function names(models: readonly Model[], joint = 'and'): string {
  const shown = models.slice(0, 3).map(({ id }) => `\`${id}\``);
  const rest = models.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} ${joint} ${rest} more`;
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} ${joint} ${last}`;
}

/** @param names identifiers that no model declares, if that is the reason */
function notApplicable(reason: string, kind?: Gap['kind'], names: readonly string[] = []): Missing {
  return kind === undefined || names.length === 0
    ? { kind: 'not-applicable', reason }
    : { kind: 'not-applicable', reason, gap: { kind, names } };
}

function untestable(kind: Gap['kind'], names: readonly string[], reason: string) {
  return { kind: 'untestable', reason, gap: { kind, names } } as const;
}
