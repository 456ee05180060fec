import {
  type Capability,
  type EndpointName,
  type Protocol,
  streamOver,
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

/** Everything that an exploration can use, according to the target file. */
export interface World {
  readonly regions: readonly string[];
  readonly actors: readonly Actor[];
  readonly models: readonly ExploredModel[];
  /** Requests to the other protocols. */
  readonly questions: readonly Question[];
  /** The addresses at which a ledger is asked; 0: there is none. */
  readonly ledgers: number;
  /** Milliseconds until what was done shows everywhere; 0: it shows at once. */
  readonly settleMs: number;
}

/** A request to an endpoint that stores nothing. */
export interface Question {
  readonly endpoint: EndpointName;
  readonly stream: boolean;
  /** Model, or null if the endpoint takes none. */
  readonly model: string | null;
  readonly permitted: readonly Actor[];
  /** The regions that have it for certain. */
  readonly regions: readonly string[];
  /** The check of the catalogue that says that it is served. */
  readonly row: string;
}

export interface ExploredModel {
  readonly id: string;
  /** Keys that may use it. */
  readonly permitted: readonly Actor[];
  /** The regions that have it for certain. No source says that every region has every model. */
  readonly regions: readonly string[];
  readonly modes: readonly FirstMode[];
  readonly compact: boolean;
  readonly inputTokens: boolean;
}

/** Number of models that speak Responses: more would not make histories richer. */
const mostModels = 3;
/** Number of models for each request to another protocol. */
const mostAsked = 2;

const firstModes = creationModes.filter((mode) => mode !== 'continuation');

/** The check of the catalogue that says that a response which goes on from none is made in a mode. */
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
        // Only keys that the target file has.
        permitted: permittedKeys(model).filter((key) => actors.includes(key)),
        regions: model.regions ?? regions.slice(0, 1),
        modes: firstModes.filter((mode) =>
          creations[mode].needs.every((capability) => supports.includes(capability)),
        ),
        compact: supports.includes('compact'),
        inputTokens: supports.includes('input_tokens'),
      };
    })
    .filter(({ permitted }) => permitted.includes('owner'))
    // Models with the most modes show the most.
    .sort((one, other) => other.modes.length - one.modes.length);
  const questions = endpointNames.flatMap((name) => questionsAt(name, target, actors));
  return {
    ...{ regions, actors, models: someOf(able, mostModels), questions },
    ledgers: target.probes.ledger.length,
    settleMs: target.limits.consistencyMs,
  };
}

function questionsAt(name: EndpointName, target: Target, actors: readonly Actor[]): Question[] {
  const { protocol, model: needed, streams } = endpoints[name];
  const regions = target.regions.map((region) => region.name);
  // Responses are stored; the list of models is an act of its own.
  if (protocol === 'responses' || protocol === 'models') return [];
  if (needed === null) {
    const isThere = target.models.some(({ protocols }) => protocols.includes(protocol));
    // Further regions are not known to have the protocol.
    const home = regions.slice(0, 1);
    const all = { permitted: actors, regions: home, row: 'models/catalog.served' };
    return isThere ? [{ endpoint: name, stream: false, model: null, ...all }] : [];
  }
  const streamed = protocolModules[protocol].streamEndpoint === name && !streams;
  const forms = protocol !== 'systemone' && streamed ? [false, true] : [false];
  return forms.flatMap((stream) => {
    const over = protocol === 'systemone' || !stream ? [] : [streamOver(protocol)];
    const supports = [...needed.supports, ...over];
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

/**
 * Picks `most` models, one for each distinct set of permitted keys first, so that a key with few
 * permissions has a model of its own.
 */
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

/** The check that says that it is served: of the capability that it needs, or else of the protocol. */
function servedRowAt(protocol: Protocol, [capability]: readonly Capability[]): string {
  return capability === undefined
    ? `access/protocols.declared-served:${protocol}`
    : `access/capabilities.offered-served:${capability.toLowerCase().replace(':', '-')}`;
}

/** User of a key: three of the four keys belong to one user. */
export function userOf(actor: Actor): string {
  return actor === 'otherUser' ? 'another user' : 'the user';
}

/** Models that the permissions of a key allow. */
export function modelsOf({ models }: World, actor: Actor): readonly string[] {
  return models.filter(({ permitted }) => permitted.includes(actor)).map(({ id }) => id);
}
