import {
  asList,
  asObject,
  declaredAs,
  loadCatalogue,
  type Protocol,
  protocolOfCapability,
  type Restriction,
  restrictionFields,
  restrictionNames,
} from '../core/index.ts';
import { shortestSought } from '../redaction/index.ts';
import type { Variables } from '../wire/index.ts';
import { isLoopback } from './defaults.ts';
import type { Path, Places } from './document.ts';
import { judgeHeaders } from './header-rules.ts';
import { didYouMean } from './nearest.ts';
import { judgeProviders } from './provider-rules.ts';
import type { Quote } from './schema-rules.ts';
import type { Problem } from './target-error.ts';
import {
  capabilityIdentifiers,
  capabilityInFile,
  type Publishers,
  protocolIdentifiers,
  readCapability,
  readProtocol,
} from './vocabulary.ts';

type Report = (path: Path, message: string) => void;

/**
 * Returns the problems that no schema can express: contradicting names, bad addresses, keys that could not be kept
 * secret. Accepts any data, so that all mistakes of a file are reported together.
 */
export function semanticProblems(
  data: unknown,
  places: Places,
  quote: Quote,
  variables: Variables,
): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, message) => problems.push(places.problem(path, message));
  const file = asObject(data);
  judgeRegions(file, report, quote);
  judgeKeys(file, report);
  judgeHeaders(file, publishersOf(file), variables, report);
  judgePlaces(file, report, quote);
  judgeModels(file, report, quote);
  judgeSystemOne(asObject(file.systemone), report);
  judgeRestrictions(file, report);
  judgeProviders(file, publishersOf(file), report, quote);
  for (const probe of ['ledger', 'clock']) {
    const url = asObject(asObject(file.probes)[probe]).url;
    const path = ['probes', probe, 'url'];
    if (typeof url === 'string') judgeAddress(url, path, report, quote);
    for (const [index, entry] of asList(url).entries()) {
      judgeAddress(entry, [...path, index], report, quote);
    }
  }
  return problems;
}

/** The publishers' names. The rest of the file may be invalid. */
function publishersOf(data: unknown): Publishers {
  const { vendorA, vendorB } = asObject(asObject(data).names);
  return {
    vendorA: typeof vendorA === 'string' ? vendorA : 'vendorA',
    vendorB: typeof vendorB === 'string' ? vendorB : 'vendorB',
  };
}

function judgeRegions(file: Record<string, unknown>, report: Report, quote: Quote): void {
  const names = new Set<unknown>();
  const addresses = new Map<string, number>();
  for (const [index, entry] of asList(file.regions).entries()) {
    const { name, baseUrl } = asObject(entry);
    if (typeof name === 'string' && names.has(name)) {
      const path = ['regions', index, 'name'];
      report(path, `A region named ${quote(name, path)} is already defined above.`);
    }
    names.add(name);
    const path = ['regions', index, 'baseUrl'];
    if (!judgeAddress(baseUrl, path, report, quote) || typeof baseUrl !== 'string') continue;
    if (/\/v1(beta)?\/*$/.test(baseUrl)) {
      report(
        path,
        'The base address ends in a version: leave it out. The paths of the interface start with ' +
          '/v1 or /v1beta and are added to it.',
      );
    }
    const same = addresses.get(baseUrl.replace(/\/+$/, ''));
    if (same !== undefined) {
      report(path, `This is the address of regions[${same}] too: two regions need two addresses.`);
    }
    addresses.set(baseUrl.replace(/\/+$/, ''), index);
  }
}

/** The contradiction to each restriction in the file, as a sentence. Null if there is none. */
const contradictions: Readonly<
  Record<Restriction, (file: Readonly<Record<string, unknown>>) => string | null>
> = {
  'single-region': ({ regions }) => {
    const { length } = asList(regions);
    return length > 1
      ? `The gateway is said to have a single region, and ${length} stand under \`regions\`: leave this out, or name one.`
      : null;
  },
  'single-user': (file) => otherKeys(file, ['otherUser'], 'a single user'),
  'one-key-per-user': (file) =>
    otherKeys(file, ['sameUser', 'restricted'], 'one key for each user'),
  'no-permissions': (file) => {
    const model = asList(file.models).map(asObject).find(isDenied);
    return model === undefined
      ? otherKeys(file, ['restricted'], 'no permissions')
      : `The gateway is said to have no permissions, and \`permitted\` of a model leaves out a key that is given: leave one of them out.`;

    function isDenied({ permitted }: Record<string, unknown>): boolean {
      const given = ['owner', ...Object.keys(asObject(file.keys))];
      return permitted !== undefined && given.some((key) => !asList(permitted).includes(key));
    }
  },
  'without-storage': ({ models, profiles }) => {
    const makes = asList(models).some((model) =>
      asList(asObject(model).supports).includes('background'),
    );
    if (makes) {
      return 'The gateway is said to store no responses, and a model supports `background`, whose responses are stored: leave one of them out.';
    }
    const claim = loadCatalogue().claims.profiles.find(
      ({ name, refuses }) => asList(profiles).includes(name) && refuses.includes('without-storage'),
    );
    return claim === undefined
      ? null
      : `The gateway is said to store no responses, and claims \`${claim.name}\`, which has stored ones: leave one of them out.`;
  },
  'without-probes': ({ probes }) => {
    const { ledger, clock } = asObject(probes);
    return ledger === undefined || clock === undefined
      ? null
      : 'Both probes stand under `probes`: leave this out, or remove one.';
  },
};

function judgeRestrictions(file: Record<string, unknown>, report: Report): void {
  for (const name of restrictionNames) {
    const field = restrictionFields[name];
    const said = file[field] === true ? contradictions[name](file) : null;
    if (said !== null) report([field], said);
  }
}

/** The contradiction if a restriction excludes a key and the file gives it. */
function otherKeys(
  { keys }: Readonly<Record<string, unknown>>,
  names: readonly string[],
  what: string,
): string | null {
  const given = names.filter((name) => asObject(keys)[name] !== undefined);
  return given.length === 0
    ? null
    : `The gateway is said to have ${what}, and ${given.map((name) => `\`keys.${name}\``).join(' and ')} ` +
        `${given.length === 1 ? 'is' : 'are'} given: leave this out, or remove the key.`;
}

/** @returns true for a usable address. The schema reports values that are not texts */
function judgeAddress(address: unknown, path: Path, report: Report, quote: Quote): boolean {
  if (typeof address !== 'string' || address === '') return false;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    report(path, `${quote(address, path)} is not an http:// or https:// address.`);
    return false;
  }
  if (url.username !== '' || url.password !== '') {
    report(path, 'The address holds a user name or password: keys go under `keys`.');
    return false;
  }
  if (path[0] === 'regions' && (url.search !== '' || url.hash !== '')) {
    report(path, 'A base address has no query and no fragment: paths are added to its end.');
    return false;
  }
  return true;
}

/** Validates the places of protocols that have a different address or headers. */
function judgePlaces(file: Record<string, unknown>, report: Report, quote: Quote): void {
  const names = publishersOf(file);
  const regions = asList(file.regions);
  const judge = (owner: unknown, path: Path, few: boolean): void => {
    for (const [name, place] of Object.entries(asObject(asObject(owner).protocols))) {
      const at = [...path, 'protocols', name];
      if (name !== 'models' && readProtocol(name, names) === undefined) {
        const known = ['models', ...protocolIdentifiers];
        report(
          at,
          `\`${name}\` is not a protocol.${meantProtocol(name)} Known: ${known.join(', ')}.`,
        );
      }
      const { baseUrl } = asObject(place);
      const where = [...at, 'baseUrl'];
      if (typeof baseUrl !== 'string' || /^\/[^/?#]/.test(baseUrl)) continue;
      if (!judgeAddress(baseUrl, where, report, quote)) continue;
      if (!few) {
        report(
          where,
          `One address cannot stand for ${regions.length} regions: write a path such as /chat, which is added to the ` +
            'base address of each, or put this under `protocols` of a region.',
        );
      }
    }
  };
  const byHost = new Map<string, string>();
  for (const [index, region] of regions.entries()) {
    const { baseUrl, tls = file.tls } = asObject(region);
    if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) continue;
    const { host } = new URL(baseUrl);
    const own = JSON.stringify(tls ?? null);
    if ((byHost.get(host) ?? own) !== own) {
      report(
        ['regions', index, 'tls'],
        `A region above is at ${host}, too, with another \`tls\`: one host has one.`,
      );
    }
    byHost.set(host, own);
  }
  judge(file, [], regions.length <= 1);
  for (const [index, region] of regions.entries()) judge(region, ['regions', index], true);
}

function judgeKeys(file: Record<string, unknown>, report: Report): void {
  const keys = asObject(file.keys);
  const isNear = asList(file.regions).every((region) => isLoopback(asObject(region).baseUrl));
  const seen = new Map<string, string>();
  for (const name of ['owner', 'sameUser', 'otherUser', 'restricted']) {
    const key = keys[name];
    if (typeof key !== 'string') continue;
    const path = ['keys', name];
    if (/^\$\{/.test(key)) continue;
    if (key !== key.trim() || !/^[\x21-\x7e]*$/.test(key)) {
      report(
        path,
        'The key contains a space, a line break or another character that a header cannot carry.',
      );
    } else if (key === '') {
      report(path, 'This is empty. Where the gateway takes no keys at all, write `keys: none`.');
    } else if (key.length < shortestSought && !isNear) {
      report(
        path,
        `The key has ${key.length} characters. One shorter than ${shortestSought} cannot be masked ` +
          'wherever a response shows it, so it is taken at a loopback address only.',
      );
    }
    const other = seen.get(key);
    if (other !== undefined) {
      report(path, `This is the same key as \`keys.${other}\`: give another one, or remove it.`);
    }
    seen.set(key, name);
  }
}

function judgeModels(file: Record<string, unknown>, report: Report, quote: Quote): void {
  const names = publishersOf(file);
  const ids = new Set<unknown>();
  for (const [index, entry] of asList(file.models).entries()) {
    const model = asObject(entry);
    const path = ['models', index];
    if (typeof model.id === 'string' && ids.has(model.id)) {
      const at = [...path, 'id'];
      report(at, `A model with the id ${quote(model.id, at)} is already defined above.`);
    }
    ids.add(model.id);
    const declared = judgeProtocols(
      asList(model.protocols),
      [...path, 'protocols'],
      names,
      report,
      quote,
    );
    judgeCapabilities(model, path, names, declared, report, quote);
    judgeRegionsOf(model, path, file, report, quote);
  }
}

function judgeRegionsOf(
  { regions }: Record<string, unknown>,
  path: Path,
  file: Record<string, unknown>,
  report: Report,
  quote: Quote,
): void {
  const known = asList(file.regions).flatMap((region) => {
    const { name } = asObject(region);
    return typeof name === 'string' ? name : [];
  });
  for (const [index, name] of asList(regions).entries()) {
    if (typeof name !== 'string' || known.includes(name)) continue;
    const at = [...path, 'regions', index];
    const meant = didYouMean(name, known);
    report(at, `No region is named ${quote(name, at)}.${meant} Known: ${known.join(', ')}.`);
  }
}

/** @returns the protocols, or null if one is unknown */
function judgeProtocols(
  identifiers: readonly unknown[],
  path: Path,
  names: Publishers,
  report: Report,
  quote: Quote,
): Protocol[] | null {
  const declared: Protocol[] = [];
  let understood = true;
  for (const [index, identifier] of identifiers.entries()) {
    if (typeof identifier !== 'string') continue;
    const protocol = readProtocol(identifier, names);
    if (protocol !== undefined) {
      declared.push(protocol);
      continue;
    }
    understood = false;
    const at = [...path, index];
    report(
      at,
      `${quote(identifier, at)} is not a protocol.${meantProtocol(identifier)} ` +
        `Known: ${protocolIdentifiers.join(', ')}.`,
    );
  }
  return understood ? declared : null;
}

function judgeCapabilities(
  model: Record<string, unknown>,
  path: Path,
  names: Publishers,
  declared: Protocol[] | null,
  report: Report,
  quote: Quote,
): void {
  const supported = new Set<string>();
  for (const field of ['supports', 'lacks']) {
    for (const [index, identifier] of asList(model[field]).entries()) {
      if (typeof identifier !== 'string') continue;
      const at = [...path, field, index];
      const capabilities = readCapability(identifier, names, declared ?? []);
      if (capabilities === undefined) {
        report(
          at,
          `${quote(identifier, at)} is not a capability.${didYouMean(identifier, capabilityIdentifiers)} ` +
            `Known: ${capabilityIdentifiers.filter((one) => !one.includes(':')).join(', ')}.`,
        );
        continue;
      }
      if (field === 'lacks' && supported.has(identifier)) {
        report(
          at,
          `${quote(identifier, at)} is under \`supports\`, too: it can only be one of them.`,
        );
      }
      if (field === 'lacks') continue;
      supported.add(identifier);
      const [capability] = capabilities;
      const protocol = capability === undefined ? null : protocolOfCapability[capability];
      if (capability !== undefined && protocol !== null && declared?.includes(protocol) === false) {
        report(
          at,
          `The model supports \`${capabilityInFile(capability)}\` but does not declare ` +
            `\`${declaredAs[protocol]}\`: add that to \`protocols\`, or remove this.`,
        );
      }
    }
  }
}

function judgeSystemOne({ dialect, body }: Record<string, unknown>, report: Report): void {
  if (dialect === 'custom' && body === undefined) {
    report(
      ['systemone'],
      'The dialect `custom` needs a `body`: the request that the gateway takes.',
    );
  }
  if (dialect === 'public' && body !== undefined) {
    report(
      ['systemone', 'body'],
      'The dialect `public` has its own body. Leave `dialect` out to send this one.',
    );
  }
}

/** Common names of protocols that people write instead of the identifiers. */
const nicknames: Readonly<Record<string, Protocol>> = {
  messages: 'messages',
  generative: 'generative',
  'generative-content': 'generative',
  generateContent: 'generative',
  'chat-completions': 'chat-completions',
  'chat.completions': 'chat-completions',
  chat_completions: 'chat-completions',
  system_one: 'systemone',
  'system-one': 'systemone',
};

function meantProtocol(identifier: string): string {
  const protocol = nicknames[identifier];
  return protocol === undefined
    ? didYouMean(identifier, protocolIdentifiers)
    : ` Did you mean \`${declaredAs[protocol]}\`?`;
}
