import { existsSync, writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { protocols } from '../core/protocol.ts';
import { exitCodes } from '../core/verdict.ts';
import { discover } from '../onboarding/discovery.ts';
import {
  type Ask,
  answerOf,
  asker,
  catalogModels,
  isServed,
  jsonOf,
  listedModels,
} from '../onboarding/free-requests.ts';
import { initialTargetFile } from '../onboarding/init-target-file.ts';
import { assertLooksLikeGateway } from '../onboarding/looks-like-gateway.ts';
import { catalogCall, listCall } from '../protocols/model-lists.ts';
import { inlineTarget } from '../target/inline.ts';
import type { Keys, Target } from '../target/target.ts';
import { UsageError } from '../terminal/failure.ts';
import { interrupted, interruptible } from '../terminal/interruption.ts';
import { assertWritable } from '../terminal/reports.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { askForLists } from './options/choose-target.ts';
import { headerMeaning } from './options/command-options.ts';
import { collect, headerLine, wholeNumber } from './options/option-values.ts';

interface Region {
  readonly name: string;
  readonly baseUrl: string;
}

/** Where a key goes that the interface shows no header for. */
interface CredentialPlace {
  readonly endpoint: keyof Target['credentials'];
  readonly header: string;
}

interface InitOptions {
  readonly baseUrl?: string;
  readonly region?: readonly Region[];
  readonly model?: readonly string[];
  readonly models: number;
  readonly vendorA?: string;
  readonly vendorB?: string;
  readonly credential?: readonly CredentialPlace[];
  readonly header?: Readonly<Record<string, string>>;
  readonly generate?: boolean;
  readonly out: string;
  readonly force?: boolean;
}

/** `touchstone init`: looks at a gateway, and writes a target file to start from. */
export function initCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('init')
    .summary('inspect a gateway and write a first target file')
    .description(
      'Inspects a gateway and writes a commented target file, which describes it to the other commands. ' +
        'Sends only requests that are free of charge (lists, token counts, invalid requests), unless ' +
        '--generate is given.',
    )
    .option(
      '--base-url <url>',
      'the base address of the gateway, if it has one region; its key is read from TOUCHSTONE_KEY',
    )
    .option('--region <name=url>', 'a named region of the gateway; repeat for each', region)
    .option(
      '--model <id>',
      'a model to test with; may be repeated (default: those listed)',
      collect,
    )
    .option(
      '--models <n>',
      'look at no more than this many of the listed models',
      wholeNumber(1),
      12,
    )
    .option('--vendor-a <name>', "the Messages publisher's name in <name>-version")
    .option('--vendor-b <name>', "the generative-content publisher's name in x-<name>-api-key")
    .option(
      '--credential <name=header>',
      'the header that takes the key on `chat`, `systemone` or `models`, if not Bearer; may be repeated',
      credential,
    )
    .option('--header <line>', headerMeaning, headerLine)
    .option('--generate', 'also request short generations, which cost something, to find out more')
    .option('-o, --out <file>', 'where to write it', 'touchstone.yaml')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', examples)
    .action(async (options: InitOptions) => {
      exit(await init(options, terminal));
    });
}

async function init(options: InitOptions, terminal: Terminal): Promise<number> {
  const { out } = options;
  assertWritable({ out });
  if (existsSync(out) && options.force !== true) {
    throw new UsageError(
      `${out} already exists. Name another file with --out, or overwrite it with --force.`,
    );
  }
  const target = described(options, terminal.environment);
  const { signal, release } = interruptible(terminal, () => {});
  try {
    await askForLists(target, signal);
    const ask = asker(target, signal);
    const seen = await look(target, ask, options);
    if (signal.aborted) return interrupted;
    writeFileSync(out, initialTargetFile(seen));
    terminal.stdout.write(
      `${out}: ${seen.models.length} ${seen.models.length === 1 ? 'model' : 'models'}. Review it; then: touchstone doctor --target ${out}\n`,
    );
    return exitCodes.conformant;
  } finally {
    release();
  }
}

/** @throws {TargetError} when an address is none, or the owner's key is not there */
function described(
  { baseUrl, region: named = [], vendorA, vendorB, credential: places = [], header }: InitOptions,
  environment: Terminal['environment'],
): Target {
  const regions = [...(baseUrl === undefined ? [] : [{ name: 'default', baseUrl }]), ...named];
  const [first] = regions.map((one) => ({
    ...inlineTarget(
      {
        baseUrl: one.baseUrl,
        models: ['to-be-found'],
        ...(header === undefined ? {} : { headers: header }),
      },
      environment,
    ),
  }));
  if (first === undefined) {
    throw new UsageError('Name the gateway: --base-url URL, or --region NAME=URL for each region.');
  }
  const names = { vendorA: vendorA ?? 'vendorA', vendorB: vendorB ?? 'vendorB' };
  const own = Object.fromEntries(places.map(({ endpoint, header }) => [endpoint, header]));
  return { ...first, regions, names, credentials: { ...first.credentials, ...own }, models: [] };
}

async function look(target: Target, ask: Ask, options: InitOptions) {
  const listed = new Map<keyof Keys, ReadonlySet<string>>();
  for (const key of ['owner', 'sameUser', 'otherUser', 'restricted'] as const) {
    if (target.keys[key] === undefined) continue;
    const list = await listedModels(ask, { key });
    const catalog = await catalogModels(ask, { key });
    if (list === null && catalog === null) continue;
    listed.set(key, new Set([...(list ?? []), ...(catalog?.models ?? []).map(({ id }) => id)]));
  }
  const catalog = await catalogModels(ask);
  const all = [...(listed.get('owner') ?? [])];
  const chosen = options.model ?? all.slice(0, options.models);
  const [first] = chosen;
  await assertLooksLikeGateway(first === undefined ? target : withModel(target, first), ask);
  if (chosen.length === 0) {
    throw new UsageError(`${await noModels(ask)} Name a model with --model ID.`);
  }
  const generate = options.generate ?? false;
  const models = [];
  for (const id of chosen) models.push(await discover(id, { ask, catalog, generate }));
  return {
    target,
    models,
    others: all.filter((id) => !chosen.includes(id)),
    // Of a model that no list shows, the lists say nothing.
    permitted: (id: string) =>
      listed.get('owner')?.has(id) === true
        ? [...listed].filter(([, ids]) => ids.has(id)).map(([key]) => key)
        : null,
    catalogServed: catalog !== null,
    generated: generate,
  };
}

/** As if a model declared every protocol: nothing is known of it yet. */
function withModel(target: Target, id: string): Target {
  const nothing = { supports: [], lacks: [], permitted: null, deterministic: false };
  return { ...target, models: [{ id, protocols, ...nothing }] };
}

/** Why there is no model to look at: the lists are empty, refused, or of another form. */
async function noModels(ask: Ask): Promise<string> {
  const said = await Promise.all(
    [listCall(), catalogCall()].map(async (call) => {
      const exchange = await ask(call);
      const { data, models } = Object(jsonOf(exchange));
      const isList = Array.isArray(data) || Array.isArray(models);
      if (!isServed(exchange)) return `GET ${call.path} ${answerOf(exchange)}`;
      return `GET ${call.path} ${isList ? 'lists none' : 'has another form than a list of models'}`;
    }),
  );
  return `No model was found: ${said.join(', ')}.`;
}

function region(text: string, before: readonly Region[] | undefined): readonly Region[] {
  const [, name, baseUrl] = /^([^=:/]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || baseUrl === undefined) {
    throw new InvalidArgumentError('Expected NAME=URL, such as eu=https://eu.gateway.example.');
  }
  return [...(before ?? []), { name, baseUrl }];
}

function credential(
  text: string,
  before: readonly CredentialPlace[] | undefined,
): readonly CredentialPlace[] {
  const [, named, header] = /^(\w+)=([\w!#$%&'*+.^`|~-]+)$/.exec(text) ?? [];
  const endpoint = (['chat', 'systemone', 'models'] as const).find((name) => name === named);
  if (endpoint === undefined || header === undefined) {
    throw new InvalidArgumentError(
      'Expected chat, systemone or models, and a header: models=x-api-key.',
    );
  }
  return [...(before ?? []), { endpoint, header }];
}

const examples = `
Examples:
  touchstone init --base-url https://gateway.example
      writes touchstone.yaml without any generation; first: export TOUCHSTONE_KEY='<the key>'
  touchstone init --region eu=https://eu.gateway.example --region us=https://us.gateway.example
      two regions; a stored response stays in its own
  touchstone init --base-url https://gateway.example --model m-1 --generate --out staging.yaml
      one model, with a few short generations: which protocols it serves, and which of them it streams

Other keys: TOUCHSTONE_KEY_SAME_USER, TOUCHSTONE_KEY_OTHER_USER and TOUCHSTONE_KEY_RESTRICTED.`;
