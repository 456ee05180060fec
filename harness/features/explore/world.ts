import {
  type Capability,
  type EndpointName,
  over,
  type Protocol,
} from '../../kernel/core/index.ts';
import { creationModes } from '../../kernel/model/index.ts';
import {
  creations,
  endpointNames,
  endpoints,
  protocolModules,
} from '../../kernel/protocols/index.ts';
import { permittedKeys, type Target } from '../../kernel/targets/index.ts';
import type { Actor, FirstMode } from './history.ts';

export interface World {
  readonly regions: readonly string[];
  readonly actors: readonly Actor[];
  readonly models: readonly ExploredModel[];
  readonly questions: readonly Question[];
  /** Number of ledger addresses; 0 without a ledger. */
  readonly ledgers: number;
  /** Milliseconds until a change is visible everywhere; 0 if immediately. */
  readonly settleMs: number;
}

export interface Question {
  readonly endpoint: EndpointName;
  readonly stream: boolean;
  readonly model: string | null;
  readonly permitted: readonly Actor[];
  readonly regions: readonly string[];
  /** The catalogue's check that requires it to be served. */
  readonly row: string;
}

export interface ExploredModel {
  readonly id: string;
  readonly permitted: readonly Actor[];
  /** Regions that are known to have the model. No source says that every region has every model. */
  readonly regions: readonly string[];
  readonly modes: readonly FirstMode[];
  readonly supports: readonly Capability[];
}

/** Maximum number of models for Responses: more would not make histories richer. */
const mostModels = 3;
/** Maximum number of models for each request over another protocol. */
const mostAsked = 2;

/** Creation modes of a first response; any of them may continue another one. */
export const firstModes = creationModes.filter((mode) => mode !== 'continuation');

/** Returns the catalogue's check for a response in a mode that continues none. */
export function rowOfMode(mode: FirstMode): string {
  return servedRowAt('responses', creations[mode].needs);
}

export function worldOf(target: Target): World {
  const regions = target.regions.map(({ name }) => name);
  const actors = (['owner', 'sameUser', 'otherUser', 'restricted'] as const).filter(
    (actor) => target.keys[actor] !== undefined,
  );
  const able = target.models
    .filter(({ protocols }) => protocols.includes('responses'))
    .map((model): ExploredModel => {
      const { supports } = model;
      return {
        id: model.id,
        permitted: permittedKeys(model).filter((key) => actors.includes(key)),
        regions: model.regions ?? regions.slice(0, 1),
        modes: firstModes.filter((mode) =>
          creations[mode].needs.every((capability) => supports.includes(capability)),
        ),
        supports,
      };
    })
    .filter(({ permitted }) => permitted.includes('owner'))
    // Models with the most modes come first, because they show the most.
    .sort((one, other) => other.modes.length - one.modes.length);
  const questions = endpointNames.flatMap((name) => questionsAt(name, target, actors));
  return {
    ...{ regions, actors, questions },
    // Histories are about what is stored.
    models: target.withoutStorage ? [] : someOf(able, mostModels),
    ledgers: target.probes.ledger.length,
    settleMs: target.limits.consistencyMs,
  };
}

function questionsAt(name: EndpointName, target: Target, actors: readonly Actor[]): Question[] {
  const { protocol, model: needed, streams } = endpoints[name];
  const regions = target.regions.map((region) => region.name);
  // Responses are stored, and the list of models is a separate kind of act.
  if (protocol === 'responses' || protocol === 'models') return [];
  if (needed === null) {
    const isThere = target.models.some(({ protocols }) => protocols.includes(protocol));
    // Further regions are not known to support the protocol.
    const home = regions.slice(0, 1);
    const all = { permitted: actors, regions: home, row: 'models/catalog.served' };
    return isThere ? [{ endpoint: name, stream: false, model: null, ...all }] : [];
  }
  const streamed = protocolModules[protocol].streamEndpoint === name && !streams;
  const forms = protocol !== 'systemone' && streamed ? [false, true] : [false];
  return forms.flatMap((stream) => {
    const streaming = protocol === 'systemone' || !stream ? [] : [over('stream', protocol)];
    const supports = [...needed.supports, ...streaming];
    const able = target.models
      .filter(
        (model) =>
          model.protocols.includes(protocol) &&
          supports.every((capability) => model.supports.includes(capability)) &&
          permittedKeys(model).includes('owner'),
      )
      .map((model) => ({
        ...{ endpoint: name, stream, model: model.id },
        permitted: permittedKeys(model).filter((key) => actors.includes(key)),
        regions: model.regions ?? regions.slice(0, 1),
        row: servedRowAt(protocol, supports),
      }));
    return someOf(able, mostAsked);
  });
}

/** Picks models, one for each set of permitted keys first, so that a key with few permissions has one. */
function someOf<One extends Pick<ExploredModel, 'permitted'>>(
  all: readonly One[],
  most: number,
): readonly One[] {
  const keysOf = ({ permitted }: One): string => permitted.join();
  const first = all.filter(
    (one, index) => all.findIndex((other) => keysOf(other) === keysOf(one)) === index,
  );
  return [...new Set([...first, ...all])].slice(0, most);
}

/** Returns the check that requires a request to be served: that of its capability, or else that of the protocol. */
function servedRowAt(protocol: Protocol, [capability]: readonly Capability[]): string {
  return capability === undefined
    ? `access/protocols.declared-served:${protocol}`
    : `access/capabilities.offered-served:${capability.toLowerCase().replace(':', '-')}`;
}

/** Returns the user of a key: three of the four keys belong to one user. */
export function userOf(actor: Actor): string {
  return actor === 'otherUser' ? 'another user' : 'the user';
}

export function modelsOf({ models }: World, actor: Actor): readonly string[] {
  return models.filter(({ permitted }) => permitted.includes(actor)).map(({ id }) => id);
}
