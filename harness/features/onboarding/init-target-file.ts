import { basename, dirname, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import {
  type Capability,
  declaredAs,
  fixture,
  inShell,
  type Protocol,
  protocols,
  type Restriction,
  restrictionFields,
} from '../../kernel/core/index.ts';
import { protocolModules } from '../../kernel/protocols/index.ts';
import {
  capabilitiesInFile,
  type Keys,
  keyVariables,
  type Target,
} from '../../kernel/targets/index.ts';
import type { Discovered } from './discovery.ts';
import type { HeadersSeen } from './headers.ts';
import { declarable, openOf } from './seen-table.ts';

/** Observations of `touchstone init`. */
export interface Seen {
  readonly target: Target;
  readonly models: readonly Discovered[];
  /** Models that are listed, but not inspected. */
  readonly others: readonly string[];
  /** The keys that each model is listed for. Null if there are no lists. */
  readonly permitted: (id: string) => readonly (keyof Keys)[] | null;
  readonly headers: Omit<HeadersSeen, 'target'>;
  /** True if generations were requested. */
  readonly generated: boolean;
  /** Names of endpoints that it serves as well, and that are not judged. */
  readonly alsoServes: readonly string[];
  /** Features that the gateway does not have, according to its user. */
  readonly restrictions: readonly Restriction[];
}

const keyMeaning: Readonly<Record<keyof Keys, string>> = {
  owner: 'user A, who runs the tests',
  sameUser: 'another key of user A',
  otherUser: 'a key of user B',
  restricted: 'a key of user A that may not use the models under test',
};

/** Start of the comment that lists undecided capabilities. `init --update` maintains it. */
export const openComment = 'Declare under supports or lacks: ';

/** Maximum length of a line, unless a single name is longer. */
const longestLine = 100;

/** Maximum number of other models that are named. */
const mostOthers = 40;

/** Field of the target file that determines the header for the key. */
function keyPlace(protocol: Protocol): string {
  const { credential, isVersioned } = protocolModules[protocol];
  if (typeof credential !== 'string') return `\`credentials.${credential.configured}\``;
  if (isVersioned) return '`names.vendorA` and `versionDate`';
  return credential === 'vendorB-api-key' ? '`names.vendorB`' : 'the key itself: it goes as Bearer';
}

const keyNames = ['owner', 'sameUser', 'otherUser', 'restricted'] as const;

/**
 * A target file with comments: observations, gaps, and what to add.
 *
 * @param file path of the file
 */
export function initialTargetFile(seen: Seen, file: string): string {
  const { target, models, others, headers, alsoServes } = seen;
  return [
    `# yaml-language-server: $schema=${schemaFrom(file)}`,
    '# A gateway, as `touchstone init` saw it' +
      `${seen.generated ? '' : ' with requests that are free of charge'}. Review it: what it declares`,
    '# decides what is judged. What it does not declare is reported as untestable, never as failed.',
    `# Then: touchstone doctor --target ${inShell(basename(file))}, touchstone run --target ${inShell(basename(file))}`,
    '',
    `name: ${scalar(target.name)}`,
    '# What it claims to be: all that the claim needs has to be there. Without it, the models below say it.',
    '# profiles: [chat, messages]',
    '',
    '# Base addresses, without /v1. Checks between regions need a second one; init takes several:',
    '# --region eu=https://… --region us=https://…',
    'regions:',
    ...target.regions.flatMap(({ name, baseUrl }) => [
      `  - name: ${scalar(name)}`,
      `    baseUrl: ${scalar(baseUrl)}`,
    ]),
    ...(target.regions.length > 1
      ? []
      : [
          '  # - { name: …, baseUrl: https://… }',
          '# Where there is no other region, say so: then nothing between regions is asked for.',
          ...restrictionLines(seen, ['single-region']),
        ]),
    '',
    ...headerLines(target),
    '# Values come from environment variables. Uncomment the keys that you have; `keys: none` where it takes none.',
    ...(target.keys.owner === undefined ? ['keys: none', '# keys:'] : ['keys:']),
    ...keyNames.map(
      (name) =>
        `  ${target.keys[name] === undefined ? '# ' : ''}${name}: \${${keyVariables[name]}}  # ${keyMeaning[name]}`,
    ),
    '# Where there are no such keys, say so: one user, one key for each user, keys that may all use every model.',
    ...restrictionLines(seen, ['single-user', 'one-key-per-user', 'no-permissions']),
    '',
    '# The names of the publishers in the headers of the gateway: <vendorA>-version and x-<vendorB>-api-key.',
    ...(headers.messages.state === 'refused'
      ? ['# The key was refused on Messages: check vendorA.']
      : []),
    ...(headers.generative.state === 'refused'
      ? ['# The key was refused on generative-content: check vendorB.']
      : []),
    'names:',
    `  vendorA: ${scalar(target.names.vendorA)}`,
    `  vendorB: ${scalar(target.names.vendorB)}`,
    `versionDate: ${scalar(target.versionDate)}`,
    '',
    '# The header for the key where the interface specifies none: `bearer`, or a header name.',
    ...credentialLines(target),
    '# Headers of other protocols that take the key on purpose, too: not judged, and named in every report.',
    '# acceptsAlso: { messages: [bearer] }',
    ...(alsoServes.length === 0
      ? []
      : [
          '# Served as well, and not judged: every report names it.',
          `alsoServes: [${alsoServes.join(', ')}]`,
        ]),
    '',
    'models:',
    ...models.flatMap((model) => modelLines(model, seen)),
    ...(others.length === 0
      ? []
      : [`  # Also listed, not looked at (${others.length}):`, ...othersLines(others)]),
    '',
    '# Optional HTTP endpoints of a test deployment, for what the interface does not show.',
    '# probes:',
    '#   ledger: { url: https://… }  # what was recorded and charged for a request',
    '#   clock: { url: https://… }   # ages a stored response',
    '# Where there are none, say so: then what only they show is left open, by name.',
    ...restrictionLines(seen, ['without-probes']),
    ...(models.some(({ speaks }) => speaks.responses !== false)
      ? [
          '# Where no responses are stored, say so: then what is about stored ones is left open.',
          ...restrictionLines(seen, ['without-storage']),
        ]
      : []),
    '',
    '# longRunTokens: the output limit of generations that are interrupted; lower it to what the model takes.',
    '# hostilePerSecond: of the requests those with wrong keys or bad input, which a gateway may count.',
    '# limits: { concurrency: 8, requestsPerSecond: 20, hostilePerSecond: 5, timeoutMs: 60000, longRunTokens: 1536 }',
    ...(models.some(({ thinks }) => thinks)
      ? [
          '# A model thinks before it answers: a lower limit would leave no room for its answer.',
          'limits: { maxOutputTokens: 256 }',
        ]
      : []),
    '',
  ].join('\n');
}

/** Lines for restrictions: those that the user stated, and the others as comments. */
function restrictionLines({ restrictions }: Seen, names: readonly Restriction[]): string[] {
  return names.map(
    (name) => `${restrictions.includes(name) ? '' : '# '}${restrictionFields[name]}: true`,
  );
}

function headerLines({ headers }: Target): string[] {
  const lines = Object.entries(headers);
  if (lines.length === 0) {
    return [
      '# Headers that something before the gateway asks for; secrets come from environment variables.',
      `# headers: { x-tenant: acme, x-firewall-token: "\${FIREWALL_TOKEN}" }`,
      '',
    ];
  }
  return [
    '# Sent with every request; secrets come from environment variables.',
    'headers:',
    ...lines.map(([name, value]) => `  ${scalar(name)}: ${scalar(value)}`),
    '',
  ];
}

function credentialLines({ credentials }: Target): string[] {
  const given = Object.entries(credentials).map(([name, place]) => `${name}: ${scalar(place)}`);
  const usual = Object.values(credentials).every((place) => place === 'bearer');
  return [`${usual ? '# ' : ''}credentials: { ${given.join(', ')} }`];
}

/** The keys with permission for a model, if they differ from the default of target files. */
export function unusualKeys(
  id: string,
  { permitted, target }: Seen,
): readonly (keyof Keys)[] | null {
  // Without any keys, every caller counts as the owner.
  const given = keyNames.filter((name) => name === 'owner' || target.keys[name] !== undefined);
  const may = permitted(id);
  const byDefault = given.filter((name) => name !== 'restricted');
  // A list without the model for the owner's key is ignored: the list may just omit the model, and without that
  // key, all its checks would be untestable.
  const isUsual = may === null || !may.includes('owner') || may.join() === byDefault.join();
  return isUsual ? null : may;
}

function modelLines(model: Discovered, seen: Seen): string[] {
  const { id, speaks, supports, lacks, keyRefused, ignores } = model;
  const unknown = protocols.filter((protocol) => speaks[protocol] === null);
  const isSeen = protocols.some((protocol) => speaks[protocol] === true);
  const declared = declarable(model);
  const inFile = (names: readonly Capability[]): string[] => capabilitiesInFile(names, declared);
  const open = openOf(model);
  const may = unusualKeys(id, seen);
  return [
    `  - id: ${scalar(id)}`,
    ...(unknown.length === 0
      ? []
      : [
          `    # Unknown without a generation (see init --generate): ${unknown.map((name) => declaredAs[name]).join(', ')}`,
        ]),
    ...keyRefused.map(
      (name) => `    # The key was refused on ${declaredAs[name]}: see ${keyPlace(name)}`,
    ),
    ...(!isSeen
      ? [`    protocols: [${declaredAs[unknown[0] ?? 'responses']}]  # a guess: check it`]
      : [`    protocols: [${declared.map((name) => declaredAs[name]).join(', ')}]`]),
    ...listLines('    supports: ', inFile(supports)),
    ...listLines('    lacks: ', inFile(lacks)),
    ...(open.length === 0 ? [] : commentLines('    # ', openComment + inFile(open).join(', '))),
    ...(ignores.length === 0
      ? []
      : commentLines(
          '    # ',
          `Answered as if it had not been asked for: ${inFile(ignores).join(', ')}`,
        )),
    ...(may === null ? [] : [`    permitted: [${may.join(', ')}]`]),
  ];
}

/** Formats a text as a one-line YAML scalar, quoted if necessary. Model names may contain anything. */
function scalar(text: string): string {
  const plain = stringify(text, { lineWidth: 0 }).trimEnd();
  return /[\r\n]/.test(text) || plain.includes('\n') ? JSON.stringify(text) : plain;
}

/** `supports: [a, b]`, wrapped if it is long. */
function listLines(head: string, names: readonly string[]): string[] {
  const line = `${head}[${names.join(', ')}]`;
  if (line.length <= longestLine) return [line];
  const indent = `${' '.repeat(head.search(/\S/))}  `;
  const rows = filled(names, longestLine - indent.length - 2);
  return [
    head.trimEnd(),
    ...rows.map(
      (row, index) =>
        `${indent}${index === 0 ? '[' : ' '}${row}${index === rows.length - 1 ? ']' : ''}`,
    ),
  ];
}

function commentLines(head: string, text: string): string[] {
  return filled(text.split(', '), longestLine - head.length).map((row) => head + row);
}

function othersLines(others: readonly string[]): string[] {
  const shown = others.slice(0, mostOthers).map(scalar);
  const left = others.length - shown.length;
  return commentLines('  # ', [...shown, ...(left === 0 ? [] : [`and ${left} more`])].join(', '));
}

/** Joins words by commas, in rows of this width. Each row but the last ends with a comma. */
function filled(words: readonly string[], width: number): string[] {
  const rows: string[] = [];
  for (const [index, word] of words.entries()) {
    const told = index === words.length - 1 ? word : `${word},`;
    const row = rows.at(-1);
    if (row !== undefined && row.length + 1 + told.length <= width) {
      rows[rows.length - 1] = `${row} ${told}`;
    } else rows.push(told);
  }
  return rows;
}

/** Path of the schema for the target file: relative to it, or absolute if that is shorter. */
function schemaFrom(file: string): string {
  const schema = fixture('target.schema.json');
  const way = relative(dirname(resolve(file)), schema);
  return way.length > schema.length ? schema : way.replaceAll('\\', '/');
}
