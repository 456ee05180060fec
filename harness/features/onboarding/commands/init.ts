import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import {
  collect,
  collectRestriction,
  headerLine,
  headerMeaning,
  restrictionMeaning,
  usualFile,
  wholeNumber,
} from '../../../kernel/cli/index.ts';
import { each, exitCodes, inShell, protocols } from '../../../kernel/core/index.ts';
import { askAllRegions, asker, askForLists, catalogModels } from '../../../kernel/probing/index.ts';
import { writeText } from '../../../kernel/redaction/index.ts';
import {
  type Block,
  counted,
  paragraph,
  printable,
  printed,
} from '../../../kernel/report/index.ts';
import { loadTarget, type Model, readTarget } from '../../../kernel/targets/index.ts';
import {
  assertWritable,
  interrupted,
  interruptible,
  question,
  type Terminal,
  UsageError,
  wantsColour,
} from '../../../kernel/terminal/index.ts';
import {
  type Address,
  type CredentialPlace,
  type Discovered,
  discover,
  findListHeader,
  initialTargetFile,
  type LookOptions,
  look,
  mayAsk,
  type Region,
  type Seen,
  seenTable,
  startTarget,
  tryOut,
  unseen,
} from '../index.ts';
import { findingItems } from './finding-items.ts';
import { type Declared, declaredAdditions, seenAdditions, writeAdditions } from './init-update.ts';

interface InitOptions extends LookOptions, Address {
  readonly out?: string;
  readonly force?: boolean;
  readonly update?: string;
  readonly supports?: readonly Declared[];
  readonly color: boolean;
}

/** `touchstone init`: inspects a gateway, and writes an initial target file. */
export function initCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('init')
    .summary('inspect a gateway and write a first target file')
    .description(
      'Inspects a gateway and writes a commented target file, which describes it to the other commands. It finds ' +
        'the names of headers by itself, and shows what it saw. Sends only requests that are free of charge (lists, ' +
        'token counts, invalid requests), unless --generate is given.',
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
      wholeNumber(1, 10_000),
      12,
    )
    .option(
      '--vendor-a <name>',
      "the Messages publisher's name in <name>-version, such as anthropic (default: found)",
    )
    .option(
      '--vendor-b <name>',
      "the generative-content publisher's name in x-<name>-api-key, such as goog (default: found)",
    )
    .option(
      '--credential <name=header>',
      'the header that takes the key on `chat`, `systemone` or `models`, if not Bearer; may be repeated',
      credential,
    )
    .option('--header <line>', headerMeaning, headerLine)
    .option(
      '--generate',
      'also try every capability with short generations, which cost something; how many is said first',
    )
    .option('--generations <n>', '--generate, with n generations at most', wholeNumber(1, 1e6))
    .option('-o, --out <file>', 'where to write it (touchstone.yaml)')
    .option('--force', 'overwrite an existing file')
    .option(
      '--update <file>',
      'add what is seen to a target file, and leave the rest of it as it is',
    )
    .option(
      '--supports <model=names>',
      'with --update: what a run has seen, such as m-1=background,compact; may be repeated',
      declared,
    )
    .option('--restriction <name>', restrictionMeaning, collectRestriction)
    .option('-y, --yes', 'ask nothing: take the defaults')
    .option('--no-color', 'plain text; the NO_COLOR variable does the same')
    .addHelpText('after', examples)
    .action(async (options: InitOptions) => {
      exit(await init(options, terminal));
    });
}

async function init(options: InitOptions, terminal: Terminal): Promise<number> {
  const { update } = options;
  assertTogether(options);
  const { signal, release } = interruptible(terminal, () => {});
  try {
    return update === undefined
      ? await writeNew(options, terminal, signal)
      : await updateFile(update, options, terminal, signal);
  } finally {
    release();
  }
}

/** @throws {UsageError} */
function assertTogether({
  update,
  out,
  force,
  baseUrl,
  region: named,
  supports,
}: InitOptions): void {
  if (update === undefined && supports !== undefined) {
    throw new UsageError('--supports goes with --update FILE, the target file to add it to.');
  }
  const other = Object.entries({
    '--out': out,
    '--force': force,
    '--base-url': baseUrl,
    '--region': named,
  }).find(([, value]) => value !== undefined);
  if (update === undefined || other === undefined) return;
  throw new UsageError(`--update FILE changes that file: it takes no ${other[0]}.`);
}

async function writeNew(
  options: InitOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { out = usualFile } = options;
  assertWritable({ out });
  if (existsSync(out) && options.force !== true) {
    throw new UsageError(
      `${out} already exists. Name another file with --out, add to it with --update ${out}, or overwrite it with --force.`,
    );
  }
  const asked = await withAddress(options, terminal, signal);
  const start = await findListHeader(startTarget(asked, out, terminal.environment), signal);
  await askForLists(start, signal);
  const seen = await look(start, asked, terminal, signal);
  if (signal.aborted) return interrupted;
  const text = initialTargetFile(seen, out);
  // Restrictions may contradict the given keys and regions.
  readTarget(text, out, terminal.environment, { needsKeys: false });
  writeText(out, text);
  const { program = 'touchstone' } = terminal;
  const models = counted(seen.models.length, 'model');
  const named = out === usualFile ? '' : ` --target ${inShell(out)}`;
  const blocks: readonly Block[] = [
    ...shownSeen(seen, out, program),
    paragraph(`${out}: ${models}. Review it; then:`),
    { block: 'verbatim', text: `  ${program} doctor${named}` },
  ];
  const { stdout, environment } = terminal;
  const colour = options.color && wantsColour(stdout, environment);
  const document = { kind: 'init', title: out, conclusion: null, blocks };
  stdout.write(printed(document, { colour, width: stdout.columns || 100 }));
  return exitCodes.conformant;
}

/** Asks for a missing address on a terminal. */
async function withAddress(
  options: InitOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<InitOptions> {
  const isGiven = options.baseUrl !== undefined || options.region !== undefined;
  if (isGiven || !mayAsk(options, terminal)) return options;
  const baseUrl = await question(terminal, 'Base address of the gateway, without /v1: ', signal);
  return baseUrl === '' ? options : { ...options, baseUrl };
}

function shownSeen(seen: Seen, out: string, program: string): readonly Block[] {
  const items = findingItems(unseen(seen, out, program));
  return [
    { block: 'verbatim', text: seenTable(seen.models).join('\n') },
    paragraph(''),
    ...(items.length === 0
      ? []
      : [paragraph('Not seen:'), { block: 'list', items } as const, paragraph('')]),
  ];
}

/** Inspects the models of a target file again, or adds what the command line declares about them. */
async function updateFile(
  file: string,
  options: InitOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  assertWritable({ update: file });
  if (options.supports !== undefined) {
    writeAdditions(file, declaredAdditions(file, options.supports, terminal), terminal);
    return exitCodes.conformant;
  }
  const target = loadTarget(file, terminal.environment);
  await askAllRegions(target, signal);
  const ask = asker(target, signal);
  const catalog = await catalogModels(ask);
  const free: Discovered[] = [];
  for (const model of target.models) {
    if (options.model !== undefined && !options.model.includes(model.id)) continue;
    free.push(withKnown(await discover(model.id, { ask, catalog }), model));
  }
  const { models, generated } = await tryOut(free, target, options, terminal, signal);
  if (signal.aborted) return interrupted;
  terminal.stdout.write(`${seenTable(models).map(printable).join('\n')}\n\n`);
  writeAdditions(file, seenAdditions(target, models, generated), terminal);
  return exitCodes.conformant;
}

/** Adds the declarations of the target file, so that they are not tried again. */
function withKnown(found: Discovered, { supports, lacks, protocols: declared }: Model): Discovered {
  return {
    ...found,
    speaks: each(protocols, (one) => (declared.includes(one) ? true : found.speaks[one])),
    supports: [...new Set([...supports, ...found.supports.filter((one) => !lacks.includes(one))])],
    lacks: [...new Set([...lacks, ...found.lacks.filter((one) => !supports.includes(one))])],
  };
}

function declared(text: string, before: readonly Declared[] | undefined): readonly Declared[] {
  const [, model, names] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  if (model === undefined || names === undefined) {
    throw new InvalidArgumentError('Expected MODEL=NAMES, such as m-1=background,compact.');
  }
  return [...(before ?? []), { model, supports: names.split(',') }];
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
      one model, with short generations: which protocols it serves, and every capability
  touchstone init --base-url https://gateway.example --generations 20
      the same on a budget: the most telling ones first
  touchstone init --base-url https://gateway.example --restriction single-user --restriction single-region
      a small gateway: what it does not have is written into the file, and named in every verdict
  touchstone init --update staging.yaml --generate
      looks once more, and adds to the file what it does not say; nothing else in it changes
  touchstone init --update staging.yaml --supports m-1=background,compact
      adds what a run has seen; nothing is sent

Other keys: TOUCHSTONE_KEY_SAME_USER, TOUCHSTONE_KEY_OTHER_USER and TOUCHSTONE_KEY_RESTRICTED.`;
