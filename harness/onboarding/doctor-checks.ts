import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import type { Exchange } from '../core/exchange.ts';
import type { KeyName } from '../protocols/call.ts';
import { messagesCount, messagesCountCall } from '../protocols/messages/client.ts';
import { catalogCall, listCall } from '../protocols/model-lists.ts';
import { obstacleIn } from '../target/reachable.ts';
import { permittedKeys } from '../target/roles.ts';
import type { Keys, Target } from '../target/target.ts';
import type { Finding } from './finding.ts';
import {
  type Ask,
  answerOf,
  catalogModels,
  errorMessage,
  isServed,
  jsonOf,
  listedModels,
} from './free-requests.ts';
import { undeclared } from './undeclared.ts';

/** Looks whether a target file fits its gateway, with requests that cost nothing. */
export async function examine(target: Target, ask: Ask): Promise<Finding[]> {
  const reached = await Promise.all(target.regions.map((region) => reach(region, ask)));
  const findings = reached.flat();
  findings.push(...keyTexts(target));
  if (findings.some(({ mark }) => mark === 'unreachable')) return findings;
  const parts = await Promise.all([
    regionsDiffer(target),
    keysAccepted(target, ask),
    modelsListed(target, ask),
    nativeHeaders(target, ask),
    probesAnswer(target, ask),
  ]);
  return [...findings, ...parts.flat(), ...undeclared(target)];
}

async function reach(region: Target['regions'][number], ask: Ask): Promise<Finding[]> {
  const exchange = await ask(listCall(), { region: region.name });
  const obstacle = obstacleIn(exchange, region);
  if (obstacle === null) {
    const what = `region ${region.name}: GET /v1/models ${answerOf(exchange)}`;
    if (isServed(exchange)) return [{ mark: 'right', what }];
    const next = `Check the base address, ${region.baseUrl}: the paths of the interface are added to it.`;
    return [{ mark: 'wrong', what, next }];
  }
  const [what = '', ...next] = obstacle.split('\n');
  return [{ mark: 'unreachable', what, next: next.join(' ') }];
}

const keyNames = ['owner', 'sameUser', 'otherUser', 'restricted'] as const;

/** Keys that a reader sees to be none. Their texts are not quoted. */
function keyTexts({ keys }: Target): Finding[] {
  return keyNames.flatMap((name): Finding[] => {
    const key = keys[name];
    if (key === undefined) return [];
    const flaw = /^["'].*["']$/.test(key)
      ? 'stands in quotes: they would be sent, too'
      : /^(bearer|basic)\b/i.test(key)
        ? 'starts with a scheme: give the key alone'
        : /^<.*>$|your.?key|changeme|^x{6}/i.test(key)
          ? 'looks like a stand-in for a key'
          : null;
    return flaw === null ? [] : [{ mark: 'wrong', what: `keys.${name} ${flaw}` }];
  });
}

async function regionsDiffer({ regions }: Target): Promise<Finding[]> {
  if (regions.length < 2) {
    const next = 'Without a second region, what holds between regions is untestable.';
    return [{ mark: 'unknown', what: 'there is one region', next }];
  }
  const places = new Map<string, string>();
  const shared: Finding[] = [];
  for (const { name, baseUrl } of regions) {
    const url = new URL(baseUrl);
    const address = await lookup(url.hostname.replace(/^\[|\]$/g, '')).catch(() => null);
    const place = `${address?.address ?? url.hostname} ${url.port || url.protocol} ${url.pathname}`;
    const other = places.get(place);
    if (other !== undefined) {
      shared.push({
        mark: 'unknown',
        what: `regions ${other} and ${name} resolve to one address`,
        next: 'See that they are two deployments: behind one entrance this can be right.',
      });
    }
    places.set(place, name);
  }
  return shared.length > 0 ? shared : [{ mark: 'right', what: 'the regions differ' }];
}

async function keysAccepted({ keys, regions }: Target, ask: Ask): Promise<Finding[]> {
  const findings: Finding[] = [];
  const [first] = regions;
  if (first === undefined) return findings;
  for (const name of keyNames) {
    if (keys[name] === undefined) continue;
    const exchange = await ask(listCall(), { key: name });
    if (isMissing(exchange)) {
      findings.push(unseen('GET /v1/models', 'the keys are accepted'));
      break;
    }
    findings.push(
      isServed(exchange)
        ? { mark: 'right', what: `keys.${name} is accepted` }
        : {
            mark: 'wrong',
            what: `keys.${name}: GET /v1/models ${answerOf(exchange)}`,
            next: 'See that the key is of this deployment and still valid, and `credentials.models`.',
          },
    );
  }
  for (const name of ['none', 'unknown'] satisfies KeyName[]) {
    if (!isServed(await ask(listCall(), { key: name }))) continue;
    findings.push({
      mark: 'unknown',
      what: `GET /v1/models is served ${name === 'none' ? 'without a key' : 'with a key that does not exist'}`,
      next: 'So it says nothing of the other keys. A run will call it a failure.',
    });
  }
  if (keys.sameUser !== undefined || keys.otherUser !== undefined) {
    const what = 'whose keys `sameUser` and `otherUser` are';
    const next =
      'Only a stored response shows it, which costs a generation: see access/owners in a run.';
    findings.push({ mark: 'unknown', what, next });
  }
  return findings;
}

/** What each key is shown, in both lists. */
async function shownTo(ask: Ask, key: keyof Keys): Promise<ReadonlySet<string> | null> {
  const [list, catalog] = await Promise.all([
    listedModels(ask, { key }),
    catalogModels(ask, { key }),
  ]);
  if (list === null && catalog === null) return null;
  return new Set([...(list ?? []), ...(catalog?.models ?? []).map(({ id }) => id)]);
}

async function modelsListed({ keys, models }: Target, ask: Ask): Promise<Finding[]> {
  const findings: Finding[] = [];
  const shown = new Map<keyof Keys, ReadonlySet<string>>();
  for (const name of keyNames) {
    if (keys[name] === undefined) continue;
    const ids = await shownTo(ask, name);
    if (ids === null) {
      findings.push({ mark: 'unknown', what: `keys.${name} is shown no list of models` });
      continue;
    }
    shown.set(name, ids);
    const missing = models.filter(
      (model) => permittedKeys(model).includes(name) && !ids.has(model.id),
    );
    const forbidden = models.filter(
      (model) => !permittedKeys(model).includes(name) && ids.has(model.id),
    );
    if (missing.length + forbidden.length === 0) {
      const what = `keys.${name} is shown the models that the file says, of ${ids.size}`;
      findings.push({ mark: 'right', what });
    }
    if (missing.length > 0) {
      const next =
        name === 'owner'
          ? 'Correct their ids, or take them out. A gateway may serve models that it does not list.'
          : `Take \`${name}\` out of their \`permitted\`, or give the key the permission.`;
      findings.push({ mark: 'wrong', what: `keys.${name} is not shown ${named(missing)}`, next });
    }
    if (forbidden.length > 0) {
      const what = `keys.${name} is shown ${named(forbidden)}, which the file does not permit`;
      const next = `Add \`${name}\` to their \`permitted\`, or take the permission from the key.`;
      findings.push({ mark: 'wrong', what, next });
    }
  }
  const all = shown.get('owner');
  const few = shown.get('restricted');
  if (all !== undefined && few !== undefined) {
    const fewer = [...all].some((id) => !few.has(id));
    findings.push(
      fewer
        ? { mark: 'right', what: 'keys.restricted is shown fewer models than keys.owner' }
        : {
            mark: 'wrong',
            what: 'keys.restricted is shown every model that keys.owner is shown',
            next: 'Give a key of the same user that lacks permission for some of the models.',
          },
    );
  }
  return findings;
}

/** The headers that carry a publisher's name, and the date in one of them. */
async function nativeHeaders({ names, versionDate, models }: Target, ask: Ask): Promise<Finding[]> {
  const findings: Finding[] = [];
  const counts = models.find(({ supports }) => supports.includes('count_tokens'));
  const speaks = counts ?? models.find(({ protocols }) => protocols.includes('messages'));
  if (speaks !== undefined) {
    const body = messagesCount({ model: speaks.id, input: 'Hello', maxOutputTokens: 16 });
    const counted = await ask(messagesCountCall(body));
    const about = `x-api-key and ${names.vendorA}-version: ${versionDate}`;
    const complaint = errorMessage(jsonOf(counted)) ?? '';
    if (isServed(counted)) findings.push({ mark: 'right', what: `${about} are accepted` });
    else if (counts !== undefined || /version|api.?key|auth/i.test(complaint)) {
      const next =
        'See `names.vendorA`, `versionDate`, and whether the model supports `count_tokens`.';
      const what = `${about}: POST /v1/messages/count_tokens ${answerOf(counted)}`;
      findings.push({ mark: 'wrong', what, next });
    } else {
      const next = 'It takes a model that supports `count_tokens` to see it for nothing.';
      findings.push({ mark: 'unknown', what: `whether ${about} are accepted`, next });
    }
  }
  if (models.some(({ protocols }) => protocols.includes('generative'))) {
    const catalog = await ask(catalogCall());
    const header = `x-${names.vendorB}-api-key`;
    if (isMissing(catalog)) {
      findings.push(unseen('GET /v1beta/models', `${header} is accepted`));
      return findings;
    }
    findings.push(
      isServed(catalog)
        ? { mark: 'right', what: `${header} is accepted` }
        : {
            mark: 'wrong',
            what: `${header}: GET /v1beta/models ${answerOf(catalog)}`,
            next: 'See `names.vendorB`: the publisher as the gateway writes it in this header.',
          },
    );
  }
  return findings;
}

async function probesAnswer({ probes }: Target, ask: Ask): Promise<Finding[]> {
  const common = { protocol: 'probe', path: '', expects: 'json' } as const;
  const ledger = probes.ledger.map(async (url): Promise<Finding> => {
    const query = { client_request_id: randomUUID() };
    const call = { ...common, operation: 'probes.ledger', method: 'GET', url, query };
    const exchange = await ask(call, { key: 'none' });
    const body = jsonOf(exchange);
    const what = `probes.ledger ${url} ${answerOf(exchange)}`;
    if (isServed(exchange) && Array.isArray(Object(body).records)) return { mark: 'right', what };
    const next = 'It has to answer { "records": [] } for a request that it does not know.';
    return { mark: 'wrong', what, next };
  });
  const clock = probes.clock.map(async (url): Promise<Finding> => {
    const body = { response_id: `resp_${randomUUID()}`, age_seconds: 0 };
    const call = { ...common, operation: 'probes.clock', method: 'POST', url, body };
    const exchange = await ask(call, { key: 'none' });
    const status = exchange.response?.status ?? 0;
    const what = `probes.clock ${url} ${answerOf(exchange)}`;
    // It may or may not mind that there is no such response.
    const answers = status >= 200 && status < 500 && ![401, 403, 405].includes(status);
    if (answers && jsonOf(exchange) !== undefined) return { mark: 'right', what };
    if (answers && status >= 400) {
      const next =
        'There is no such response, or no probe at this address: a run asks it about a real one.';
      return { mark: 'unknown', what, next };
    }
    return { mark: 'wrong', what, next: 'It has to take POST with JSON, and no credential.' };
  });
  const found = await Promise.all([...ledger, ...clock]);
  for (const name of ['ledger', 'clock'] as const) {
    if (probes[name].length > 0) continue;
    const next = `What it takes \`probes.${name}.url\` for is untestable: see touchstone plan.`;
    found.push({ mark: 'unknown', what: `there is no ${name} probe`, next });
  }
  return found;
}

/** The endpoint itself is not there: the answer is about no credential. */
function isMissing({ response }: Exchange): boolean {
  return response?.status === 404 || response?.status === 405;
}

function unseen(endpoint: string, what: string): Finding {
  const next = `It takes ${endpoint} to see it for nothing, which is not there. A run will call that a failure.`;
  return { mark: 'unknown', what: `whether ${what}`, next };
}

function named(models: readonly { readonly id: string }[]): string {
  const shown = models.slice(0, 5).map(({ id }) => `\`${id}\``);
  const rest = models.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
