import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import type { Exchange, ShownCredential } from '../../kernel/core/index.ts';
import {
  type Ask,
  answerOf,
  catalogModels,
  errorMessage,
  isServed,
  jsonOf,
  listedModels,
  noGatewayAt,
} from '../../kernel/probing/index.ts';
import {
  type Call,
  catalogCall,
  type KeyName,
  listCall,
  messagesCount,
  messagesCountCall,
} from '../../kernel/protocols/index.ts';
import {
  type Keys,
  obstacleIn,
  permittedKeys,
  type Region,
  shownProxies,
  type Target,
} from '../../kernel/targets/index.ts';
import type { Finding } from './finding.ts';
import { wantsVersion } from './headers.ts';
import { undeclared } from './undeclared.ts';

/**
 * Checks that a target file fits its gateway, with free requests.
 *
 * @param init command that adds a gateway's observed features to the file
 */
export async function runDoctorChecks(
  target: Target,
  ask: Ask,
  init = 'touchstone init --update FILE --generate',
): Promise<Finding[]> {
  const reached = await Promise.all(target.regions.map((region) => reach(region, target, ask)));
  const findings = [...ways(target), ...reached.flat()];
  findings.push(...keyTexts(target));
  if (findings.some(({ mark }) => mark === 'unreachable')) return findings;
  const parts = await Promise.all([
    regionsDiffer(target),
    ...(target.keys.owner === undefined
      ? []
      : [keysAccepted(target, ask), nativeHeaders(target, ask), furtherHeaders(target, ask)]),
    modelsListed(target, ask),
    probesAnswer(target, ask),
  ]);
  return [...findings, ...parts.flat(), ...undeclared(target, init)];
}

/** Findings on the connection, if it is unusual. */
function ways(target: Target): Finding[] {
  const proxies = shownProxies(target).map(
    (proxy): Finding => ({ mark: 'right', what: `requests go through the proxy ${proxy}` }),
  );
  if (target.keys.owner !== undefined) return proxies;
  const next = 'What the specification demands of keys stays demanded: a run will report it.';
  return [...proxies, { mark: 'unknown', what: 'no key is sent (keys: none)', next }];
}

async function reach(region: Region, target: Target, ask: Ask): Promise<Finding[]> {
  const exchange = await ask(listCall(), { region: region.name });
  const obstacle = obstacleIn(exchange, region) ?? (await noGatewayAt(region, target, ask));
  if (obstacle === null) {
    const what = `region ${region.name}: GET /v1/models ${answerOf(exchange)}`;
    if (isServed(exchange)) return [{ mark: 'right', what }];
    const next = wantsVersion(exchange)
      ? versionWanted
      : `Check the base address, ${region.baseUrl}: the paths of the interface are added to it.`;
    return [{ mark: 'wrong', what, next }];
  }
  const [what = '', ...next] = obstacle.split('\n');
  return [{ mark: 'unreachable', what, next: next.join(' ') }];
}

const keyNames = ['owner', 'sameUser', 'otherUser', 'restricted'] as const;

/** Finds keys that are obviously wrong, without quoting their texts. */
function keyTexts({ keys }: Target): Finding[] {
  return keyNames.flatMap((name): Finding[] => {
    const key = keys[name];
    if (key === undefined) return [];
    const flaw = /^["'].*["']$/.test(key)
      ? 'is in quotes, which would be sent, too'
      : /^(bearer|basic)\b/i.test(key)
        ? 'starts with a scheme: give only the key'
        : /^<.*>$|your.?key|changeme|^x{6}/i.test(key)
          ? 'looks like a placeholder'
          : null;
    return flaw === null ? [] : [{ mark: 'wrong', what: `keys.${name} ${flaw}` }];
  });
}

async function regionsDiffer({ regions, singleRegion }: Target): Promise<Finding[]> {
  if (singleRegion) return [{ mark: 'right', what: 'there is a single region, as declared' }];
  if (regions.length < 2) {
    const next =
      'Add a second region, or say `singleRegion: true` where there is no other: until then, ' +
      'checks between regions are untestable.';
    return [{ mark: 'unknown', what: 'only one region is declared', next }];
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
        next: 'Check that they are two deployments: behind one load balancer this can be right.',
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
            next: wantsVersion(exchange)
              ? versionWanted
              : 'Check that the key belongs to this deployment and is still valid, and check `credentials.models`.',
          },
    );
  }
  // A gateway without keys has nothing to refuse.
  const refused = keys.owner === undefined ? [] : (['none', 'unknown'] satisfies KeyName[]);
  for (const name of refused) {
    if (!isServed(await ask(listCall(), { key: name }))) continue;
    findings.push({
      mark: 'unknown',
      fails: true,
      what: `GET /v1/models is served ${name === 'none' ? 'without a key' : 'with a key that does not exist'}`,
      next: 'So it shows nothing about the other keys. A run will report this as a failure.',
    });
  }
  if (keys.sameUser !== undefined || keys.otherUser !== undefined) {
    const what = 'which users `sameUser` and `otherUser` belong to';
    const next =
      'Only a stored response shows it, which costs a generation: a run checks it (access/owners).';
    findings.push({ mark: 'unknown', what, next });
  }
  return findings;
}

/** Models that each key is shown, in both lists. */
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
    if (name !== 'owner' && keys[name] === undefined) continue;
    const ids = await shownTo(ask, name);
    if (ids === null) {
      findings.push({ mark: 'unknown', what: `keys.${name} gets no list of models` });
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
      const what = `keys.${name} lists the models of the target file (${ids.size} in total)`;
      findings.push({ mark: 'right', what });
    }
    if (missing.length > 0) {
      const next =
        name === 'owner'
          ? 'Correct their ids, or remove them. A gateway may serve models that it does not list.'
          : `Remove \`${name}\` from their \`permitted\`, or give the key the permission.`;
      findings.push({ mark: 'wrong', what: `keys.${name} does not list ${named(missing)}`, next });
    }
    if (forbidden.length > 0) {
      const what = `keys.${name} lists ${named(forbidden)}, which the target file does not permit`;
      const next = `Add \`${name}\` to their \`permitted\`, or remove the permission from the key.`;
      findings.push({ mark: 'wrong', what, next });
    }
  }
  const all = shown.get('owner');
  const few = shown.get('restricted');
  if (all !== undefined && few !== undefined) {
    const fewer = [...all].some((id) => !few.has(id));
    findings.push(
      fewer
        ? { mark: 'right', what: 'keys.restricted lists fewer models than keys.owner' }
        : {
            mark: 'wrong',
            what: 'keys.restricted lists every model that keys.owner lists',
            next: 'Use a key of the same user without permission for some of the models.',
          },
    );
  }
  return findings;
}

/** Checks the headers with a publisher's name, and the date in one of them. */
async function nativeHeaders({ names, versionDate, models }: Target, ask: Ask): Promise<Finding[]> {
  const findings: Finding[] = [];
  const counts = models.find(({ supports }) => supports.includes('count_tokens'));
  const speaks = counts ?? models.find(({ protocols }) => protocols.includes('messages'));
  if (speaks !== undefined) {
    const body = messagesCount({ model: speaks.id, input: 'Hello', maxOutputTokens: 16 });
    const counted = await ask(messagesCountCall(body));
    const about = `x-api-key and ${names.vendorA}-version: ${versionDate}`;
    const refusal = errorMessage(jsonOf(counted)) ?? '';
    if (isServed(counted)) findings.push({ mark: 'right', what: `${about} are accepted` });
    else if (counts !== undefined || /version|api.?key|auth/i.test(refusal)) {
      const next =
        'Check `names.vendorA`, `versionDate`, and whether the model supports `count_tokens`.';
      const what = `${about}: POST /v1/messages/count_tokens ${answerOf(counted)}`;
      findings.push({ mark: 'wrong', what, next });
    } else {
      const next = 'Only a model that supports `count_tokens` shows it free of charge.';
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
            next: 'Check `names.vendorB`: the name of the publisher in this header.',
          },
    );
  }
  return findings;
}

/** Finds out if the gateway accepts a Bearer token where the specification has another header. */
async function furtherHeaders(target: Target, ask: Ask): Promise<Finding[]> {
  const { acceptsAlso, models } = target;
  const counts = models.find(({ supports }) => supports.includes('count_tokens'));
  const tries: (readonly [ShownCredential, Call])[] = [];
  if (counts !== undefined) {
    const body = messagesCount({ model: counts.id, input: 'Hello', maxOutputTokens: 16 });
    tries.push(['messages', messagesCountCall(body)]);
  }
  if (models.some(({ protocols }) => protocols.includes('generative'))) {
    tries.push(['generative', catalogCall()]);
  }
  const found = await Promise.all(
    tries
      .filter(([protocol]) => !acceptsAlso[protocol].includes('bearer'))
      .map(async ([protocol, call]): Promise<Finding[]> => {
        if (!isServed(await ask(call, { placement: 'bearer' }))) return [];
        const what = `${call.path} takes the key in Authorization: Bearer, too`;
        const next = `A run will report it. If it is meant, say so: acceptsAlso: { ${protocol}: [bearer] }.`;
        return [{ mark: 'unknown', fails: true, what, next }];
      }),
  );
  const declared = Object.entries(acceptsAlso).flatMap(([protocol, headers]): Finding[] => {
    const what = `acceptsAlso.${protocol}: ${headers.join(', ')}; not judged, and every report says so`;
    return headers.length === 0 ? [] : [{ mark: 'right', what }];
  });
  return [...declared, ...found.flat()];
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
    const next = 'It has to respond with { "records": [] } for an unknown request id.';
    return { mark: 'wrong', what, next };
  });
  const clock = probes.clock.map(async (url): Promise<Finding> => {
    const body = { response_id: `resp_${randomUUID()}`, age_seconds: 0 };
    const call = { ...common, operation: 'probes.clock', method: 'POST', url, body };
    const exchange = await ask(call, { key: 'none' });
    const status = exchange.response?.status ?? 0;
    const what = `probes.clock ${url} ${answerOf(exchange)}`;
    // The probe may report that there is no such response, or ignore that.
    const answers = status >= 200 && status < 500 && ![401, 403, 405].includes(status);
    if (answers && jsonOf(exchange) !== undefined) return { mark: 'right', what };
    if (answers && status >= 400) {
      const next =
        'Either the response is unknown, as expected, or there is no probe at this address: a run tries it with a real response.';
      return { mark: 'unknown', what, next };
    }
    return { mark: 'wrong', what, next: 'It has to accept POST with JSON, without a credential.' };
  });
  return Promise.all([...ledger, ...clock]);
}

const versionWanted =
  'The list wants the version header of Messages, which the interface shows for Messages only. Address and key may be right; a run will report the list.';

/** True if the endpoint itself is missing, so that the answer is not about a credential. */
function isMissing({ response }: Exchange): boolean {
  return response?.status === 404 || response?.status === 405;
}

function unseen(endpoint: string, what: string): Finding {
  const next = `${endpoint}, which would show it free of charge, is missing. A run will report this as a failure.`;
  return { mark: 'unknown', fails: true, what: `whether ${what}`, next };
}

function named(models: readonly { readonly id: string }[]): string {
  const shown = models.slice(0, 5).map(({ id }) => `\`${id}\``);
  const rest = models.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
