import type { Answer, Call } from '../call.ts';
import type { FixtureModel } from '../fixture-models.ts';
import type { JsonObject } from '../json.ts';
import type { Key } from '../keys.ts';
import { quoted, Refusal } from '../refusal.ts';
import { catalogEntry, listCatalog } from './catalog.ts';
import { listEntry, modelList } from './list.ts';

/** Matches a model id as the last segment of a path. A segment that ends in `:word` is an action on a model. */
export function onePath(prefix: string): RegExp {
  return new RegExp(`^${prefix}/models/(?!.*:[a-zA-Z]+$)(?<model>[^/]+)$`);
}

/** `GET /v1/models/<id>`: one entry of the list; an unlisted model does not exist. */
export function oneModel(call: Call, key: Key): Answer {
  const { listedModels } = call.gateway.seams.policy;
  const { model: id = '' } = call.params;
  const model = listedModels(key, call).find((one) => one.id === id);
  if (model === undefined) {
    throw new Refusal('unknown-model', `The model ${quoted(id)} does not exist.`, 'model');
  }
  return { kind: 'models.model', body: entries[formOf(call)](model) };
}

/** `GET /v1/models`: in the form that the client expects, if the gateway is for developing clients. */
export function listModels(call: Call, key: Key): Answer {
  const models = call.gateway.seams.policy.listedModels(key, call);
  const form = formOf(call);
  if (form === 'generative') return listCatalog(call, key);
  return {
    kind: 'models.list',
    body: form === 'messages' ? messagesList(models) : modelList(models),
  };
}

type Form = 'openai' | 'messages' | 'generative';

const entries: Record<Form, (model: FixtureModel) => JsonObject> = {
  openai: listEntry,
  messages: messagesEntry,
  generative: catalogEntry,
};

/** Returns the form that a client expects, from its headers, or from the path of the catalog. */
function formOf({ gateway, path, headers }: Call): Form {
  if (path.startsWith('/v1beta/')) return 'generative';
  if (!gateway.isMock) return 'openai';
  const { vendorA, vendorB } = gateway.names;
  if (headers[`x-${vendorB}-api-key`.toLowerCase()] !== undefined) return 'generative';
  return headers[`${vendorA}-version`.toLowerCase()] === undefined ? 'openai' : 'messages';
}

function messagesEntry({ id }: FixtureModel): JsonObject {
  return { type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' };
}

function messagesList(models: readonly FixtureModel[]): JsonObject {
  return {
    data: models.map(messagesEntry),
    has_more: false,
    first_id: models.at(0)?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  };
}
