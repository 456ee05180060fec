import { randomInt } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import {
  add,
  assertKnown,
  assertOneSeed,
  clientPlanDocument,
  type Excuses,
  excused,
  exitCodeOf,
  type GivenOf,
  knownFailuresAt,
  optionGroups,
  plannedClient,
  type ReportOptions,
  wholeNumber,
} from '../../../kernel/cli/index.ts';
import {
  type ClientSubject,
  exitCodes,
  loadCatalogue,
  type Protocol,
  protocols,
} from '../../../kernel/core/index.ts';
import { plan } from '../../../kernel/engine/index.ts';
import { printed } from '../../../kernel/report/index.ts';
import {
  assertApart,
  assertWritable,
  deliverReports,
  exchangeViews,
  failureOf,
  interruptible,
  printReport,
  reportFilesIn,
  showProgress,
  type Terminal,
  UsageError,
} from '../../../kernel/terminal/index.ts';
import {
  isCertifiable,
  isReachedSafely,
  removeIfEmpty,
  writtenBundle,
} from '../../certificate/index.ts';
import { adapterFile, adapterNames, providerModel } from '../index.ts';
import {
  addEvidence,
  bundlePlaceOf,
  clientRecording,
  described,
  type EvidenceOptions,
} from './client-evidence.ts';
import {
  addUpstream,
  assertListening,
  frontAt,
  sayWhere,
  type UpstreamOptions,
  upstreamOf,
} from './upstream-options.ts';

interface ClientOptions
  extends ReportOptions,
    Excuses,
    UpstreamOptions,
    EvidenceOptions,
    GivenOf<'seed' | 'strict' | 'record'> {
  readonly name?: string;
  readonly adapter?: string;
  readonly with?: string;
  readonly tasks?: boolean;
  readonly speaks?: readonly Protocol[];
  readonly quietAfter?: number;
  readonly timeout?: number;
  readonly concurrency?: number;
}

/**
 * `touchstone client`: judges a client.
 *
 * @param line the whole command line. The words after `--` are the command
 */
export function clientCommand(
  terminal: Terminal,
  exit: (code: number) => void,
  line: readonly string[],
): Command {
  const command = new Command('client')
    .summary('judge a client: an SDK, an agent, a program')
    .description(
      'Judges a client of the interface. It starts the command once for each scenario, against a gateway of ' +
        'its own that answers well, badly or not at all, and judges what the client sent and said.',
    )
    .usage('[options] [ids...] -- <command...>')
    .argument('[ids...]', 'which checks, by id prefixes (client/retries); behind `--` the command')
    .optionsGroup('What to judge:')
    .option(
      '--adapter <name>',
      `in place of a command: a client that is installed in the current folder: ${adapterNames().join(', ')}`,
    )
    .option(
      '--with <file>',
      'with --adapter: a module that makes the client, with your own settings',
    )
    .option('--tasks', 'the command reads a task as JSON, and prints its answer as JSON')
    .option(
      '--speaks <protocols>',
      `the protocols that it speaks, with commas between: ${protocols.join(', ')}; default: whatever it is seen to speak`,
      protocolList,
    )
    .option('--name <name>', 'what reports call it')
    .optionsGroup('How to run:')
    .option(
      '--timeout <ms>',
      'how long one start may take, in milliseconds (60000)',
      wholeNumber(100, 3_600_000),
    )
    .option(
      '--quiet-after <ms>',
      'how long nothing may come from a client that lives on before it is ended, in milliseconds (9000)',
      wholeNumber(100, 3_600_000),
    )
    .option('--concurrency <n>', 'how many are started at once', wholeNumber(1, 1_000));
  add(addEvidence(addUpstream(command)), 'seed', 'strict', ...optionGroups.excuses);
  return add(command, ...optionGroups.reports, 'record')
    .addHelpText('after', examples)
    .action(async (words: string[], options: ClientOptions) => {
      const mark = line.indexOf('--');
      const started = mark === -1 ? [] : line.slice(mark + 1);
      const ids = words.slice(0, words.length - started.length);
      for (const word of started.filter((one) => existsSync(one) && statSync(one).isFile())) {
        assertApart('read', word, word);
      }
      exit(await judgeClient(ids, started, options, terminal));
    });
}

async function judgeClient(
  ids: readonly string[],
  command: readonly string[],
  options: ClientOptions,
  terminal: Terminal,
): Promise<number> {
  assertKnown(
    ids,
    loadCatalogue('client').checks.map(({ id }) => id),
  );
  const { environment } = terminal;
  const upstream = upstreamOf(options, environment);
  const client = described(subjectOf(command, options), options);
  const { record, knownFailures } = options;
  const { color, quiet = false, strict = false } = options;
  const files = reportFilesIn(options);
  if (knownFailures !== undefined) knownFailuresAt(knownFailures, loadCatalogue('client'));
  assertWritable({ ...files, record });
  const name = options.name ?? options.adapter ?? nameOf(client);
  const excluded = { ids, '--known-failures': knownFailures, '--record': record };
  assertOneSeed(options);
  const place = bundlePlaceOf(options, excluded);
  if (options.plan === true || place !== null) {
    const target = plannedClient(name, client);
    const planned = await plan(target, ids);
    if (options.plan === true) {
      const look = { colour: false, width: terminal.stdout.columns || 100 };
      terminal.stdout.write(printed(clientPlanDocument(planned, target), look));
      return exitCodes.conformant;
    }
    if (!isReachedSafely(target, terminal) || !isCertifiable(planned, strict, terminal)) {
      if (place !== null) removeIfEmpty(place.out);
      return exitCodes.undecided;
    }
  }
  const recording = clientRecording(place, record, files.html !== undefined);
  const progress = showProgress(terminal.stderr, { environment, colour: color });
  const { signal, release } = interruptible(terminal, (said) => progress.say(said));
  const { runClient } = await import('../run-client.ts');
  const { UnusableCommand } = await import('../command.ts');
  try {
    const judged = await runClient({
      name,
      client,
      seed: options.seed ?? randomInt(2 ** 31),
      challenge: options.challenge,
      filters: ids,
      strict,
      concurrency: options.concurrency ?? Math.max(8, 2 * availableParallelism()),
      timeoutMs: options.timeout ?? 60_000,
      quietMs: options.quietAfter ?? (upstream === null ? 9_000 : 500),
      ...(upstream === null
        ? {}
        : {
            upstream: {
              ...upstream,
              onListening: (address) => void terminal.stdout.write(sayWhere(address, options)),
            },
          }),
      environment,
      signal,
      recording: recording.path,
      onUnrecorded: recording.failed,
      onProgress: quiet ? undefined : (seen) => progress.update(seen),
    }).finally(() => progress.end());
    const result = excused(judged, options);
    printReport(result, terminal, options);
    const shown = async () => ({ views: await exchangeViews(recording.path ?? '', result) });
    const delivery = { ...options, unrecorded: recording.problem };
    await deliverReports(result, { ...files, record }, shown, terminal, delivery);
    if (place !== null) return writtenBundle(judged, place, terminal);
    return exitCodeOf(result, options);
  } catch (error) {
    if (error instanceof UnusableCommand) throw new UsageError(error.message);
    if (upstream !== null) assertListening(error, upstream);
    const failure = failureOf(error);
    terminal.stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  } finally {
    recording.release();
    if (place !== null) removeIfEmpty(place.out);
    release();
  }
}

/** @throws {UsageError} when the command line names no client, or two */
function subjectOf(command: readonly string[], options: ClientOptions): ClientSubject {
  const { adapter, with: module, tasks = false, speaks = protocols, upstreamOf: front } = options;
  if (front !== undefined) {
    const other = command.length > 0 ? 'the command' : adapter === undefined ? null : '--adapter';
    if (other !== null || module !== undefined || tasks) {
      throw new UsageError(
        `--upstream-of judges a gateway: leave out ${other ?? (tasks ? '--tasks' : '--with')}.`,
      );
    }
    const { model = providerModel } = options;
    return { command: [], tasks: false, speaks, upstreamOf: { front: frontAt(front), model } };
  }
  if (adapter === undefined) {
    if (command.length === 0) {
      throw new UsageError(
        'Name the command behind `--`: touchstone client -- node my-client.mjs. Or name an adapter, --adapter openai, or a gateway, --upstream-of URL.',
      );
    }
    if (module !== undefined) throw new UsageError('--with goes with --adapter.');
    return { command, tasks, speaks };
  }
  if (command.length > 0) throw new UsageError('Name a command or an adapter, and not both.');
  const names = adapterNames();
  if (!names.includes(adapter)) {
    throw new UsageError(
      `There is no adapter "${adapter}"; there are ${names.join(', ')}. Any other client is started as a command.`,
    );
  }
  if (module !== undefined && !existsSync(module)) {
    throw new UsageError(`--with ${module}: there is no such file.`);
  }
  return {
    command: [process.execPath, adapterFile(adapter)],
    adapter,
    ...(module === undefined ? {} : { with: resolve(module) }),
    tasks: true,
    speaks,
  };
}

function protocolList(text: string): readonly Protocol[] {
  const named = text.split(',').map((one) => one.trim());
  return named.map((name) => {
    const found = protocols.find((protocol) => protocol === name);
    if (found !== undefined) return found;
    throw new UsageError(
      `--speaks: "${name}" is not a protocol; the protocols are ${protocols.join(', ')}.`,
    );
  });
}

function nameOf({ command, upstreamOf: back }: ClientSubject): string {
  if (back !== undefined) return new URL(back.front).host;
  const [program = '', ...words] = command.map((word) => basename(word));
  // The script that `node` or `python` starts is a better name than the interpreter.
  const started = /^(node|deno|bun|python[\d.]*|ruby|php|java|sh|bash|npx|uv|uvx|env)(\.exe)?$/i;
  const script = words.find((word) => /^\w[\w.-]*$/.test(word) && word !== 'run');
  return started.test(program) ? (script ?? program) : program;
}

const examples = `
Examples:
  touchstone client -- node my-client.mjs
      any program: it reads TOUCHSTONE_BASE_URL, TOUCHSTONE_API_KEY, TOUCHSTONE_MODEL and
      TOUCHSTONE_PROMPT, and prints the text
  touchstone client --speaks chat-completions -- ./ask --url '{baseUrl}' --key '{key}' '{prompt}'
      the same in arguments
  touchstone client --adapter openai
      the SDK that is installed in the current folder
  touchstone client --upstream-of http://localhost:4000 --key-env KEY --print-provider litellm
      the back side of a gateway: prints what to enter in it, and judges how it asks its provider
  touchstone client client/retries -- node my-client.mjs
      only the checks about retries
  touchstone client --adapter openai --certify certificate --key signing.pem
      signed evidence, which others check with touchstone verify, without the client`;
