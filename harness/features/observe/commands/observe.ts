import { existsSync } from 'node:fs';
import { Command } from 'commander';
import {
  add,
  assertKnown,
  collect,
  decimal,
  type Excuses,
  excused,
  exitCodeOf,
  type GivenOf,
  knownFailuresAt,
  optionGroups,
  type ReportOptions,
  usualTarget,
  wholeNumber,
} from '../../../kernel/cli/index.ts';
import { exitCodes } from '../../../kernel/core/index.ts';
import { loadTarget, routesOf, type Target, Unreachable } from '../../../kernel/targets/index.ts';
import {
  assertWritable,
  deliverReports,
  exchangeViews,
  printReport,
  reportFilesIn,
  type Terminal,
  UsageError,
} from '../../../kernel/terminal/index.ts';
import { connectDirectly, type Routes } from '../../../kernel/wire/index.ts';
import { Observation, type ObservationOptions, ofBothSides } from '../observation.ts';
import type { HarContents, HarObserved } from '../observe-har.ts';
import { showObserving } from '../observing.ts';
import type { RunningProxy } from '../proxy.ts';

interface ObserveOptions extends ReportOptions, Excuses, GivenOf<'record' | 'strict'> {
  readonly target?: string;
  readonly har?: string;
  readonly listen?: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly for?: number;
  readonly requests?: number;
}

/** `touchstone observe`: judges the traffic between clients and a gateway, without sending anything. */
export function observeCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('observe')
    .summary('judge what your clients and a gateway exchange')
    .description(
      'Judges exchanges that your own clients have with a gateway, as they pass a proxy or as a HAR file has ' +
        'them. Nothing is sent, and nothing is changed: it costs no generation.',
    )
    .argument(
      '[ids...]',
      'which checks: id prefixes (generation/), or all of a protocol (@messages)',
    )
    .option(
      '--target <file>',
      'the target file of the gateway; its keys need not be set (for a proxy: touchstone.yaml)',
    )
    .option(
      '--listen <port>',
      'a proxy on this port for each region; 0: any free ports',
      wholeNumber(0, 65_535),
    )
    .option('--host <name>', 'the address that the proxy listens on', '127.0.0.1')
    .option(
      '--allow-host <name>',
      'a name that clients may call the proxy by, besides localhost, its address and --host; may be repeated',
      collect,
    )
    .option('--for <seconds>', 'end after so long; default: with Ctrl-C', decimal(0.001, 604_800))
    .option('--requests <n>', 'end after so many requests', wholeNumber(1, 1e9))
    .option('--har <file>', 'a HAR file of a browser or a proxy, instead of a proxy');
  return add(command, 'record', 'strict', ...optionGroups.excuses, ...optionGroups.reports)
    .addHelpText('after', examples)
    .action(async (ids: string[], given: ObserveOptions) => {
      const { har, listen } = given;
      const isProxy = har === undefined && listen !== undefined;
      const usual = isProxy ? usualTarget(given, 'nothing', terminal) : undefined;
      const options = usual === undefined ? given : { ...given, target: usual };
      assertUsable(ids, options);
      exit(
        await (har === undefined
          ? proxied(ids, options, terminal)
          : read(har, ids, options, terminal)),
      );
    });
}

/** @throws {UsageError} */
function assertUsable(filters: readonly string[], options: ObserveOptions): void {
  const { har, listen, knownFailures, record } = options;
  if (har === undefined && listen === undefined) {
    throw new UsageError(
      'Say what to observe: `--target FILE --listen PORT` for a proxy, or `--har FILE`.',
    );
  }
  if (har !== undefined && (listen ?? options.for ?? options.requests) !== undefined) {
    throw new UsageError(
      '--listen, --for and --requests are for a proxy; --har reads a file instead.',
    );
  }
  assertKnown(
    filters,
    ofBothSides().checks.map(({ id }) => id),
  );
  if (knownFailures !== undefined) knownFailuresAt(knownFailures, ofBothSides());
  assertWritable({ ...reportFilesIn(options), record });
}

async function read(
  path: string,
  filters: readonly string[],
  options: ObserveOptions,
  terminal: Terminal,
): Promise<number> {
  if (!existsSync(path)) throw new UsageError(`--har ${path}: there is no such file.`);
  const { lookThrough, observeHar, targetOf } = await import('../observe-har.ts');
  const contents = await lookThrough(path);
  if (contents.bases.length === 0) throw new UsageError(nothingIn(contents));
  const target = givenTarget(options, terminal) ?? targetOf(contents);
  const observation = await observationOf({ target, source: 'HAR', filters }, options);
  const observed = await observeHar(contents, target, observation);
  const code = await report(observation, options, terminal);
  terminal.stderr.write(aboutHar(contents, observed, target));
  return contents.problems.length === 0 ? code : exitCodes.usage;
}

/** Milliseconds between two checks of the observed traffic. */
const lookEvery = 300;

/** Judges the traffic of a proxy until it is stopped. */
async function proxied(
  filters: readonly string[],
  options: ObserveOptions,
  terminal: Terminal,
): Promise<number> {
  const target = givenTarget(options, terminal);
  const { listen: port, host, color: colour, quiet = false } = options;
  if (target === null || port === undefined) throw new UsageError('--listen needs --target FILE.');
  await assertListening(target);
  const observation = await observationOf({ target, source: 'proxy', filters }, options);
  const { environment } = terminal;
  const display = showObserving(terminal.stderr, { environment, colour });
  const { startProxy, CannotListen } = await import('../proxy.ts');
  let others = 0;
  const enough = new Enough(options, terminal);
  const proxy = await startProxy({
    target,
    host,
    allowHosts: options.allowHost ?? [],
    port,
    seen(exchange) {
      if (exchange === null) others++;
      else observation.add(exchange);
      enough.one();
    },
    say: (what) => display.say(what),
  }).catch((error: unknown) => {
    throw error instanceof CannotListen ? new UsageError(error.message) : error;
  });
  terminal.stdout.write(addressesOf(proxy, target));
  const look = setInterval(() => {
    void observation.look().then(show);
  }, lookEvery);
  function show(): void {
    if (!quiet) display.update({ ...observation.progress, others, underWay: proxy.underWay });
  }
  await enough.reached;
  clearInterval(look);
  await proxy.close();
  await observation.look();
  show();
  display.end();
  return report(observation, options, terminal);
}

/** Ends an observation: with Ctrl-C, after some time, or after a number of requests. */
class Enough {
  readonly reached: Promise<void>;
  #left: number;
  #reach: () => void = () => undefined;

  constructor({ for: seconds, requests = Infinity }: ObserveOptions, terminal: Terminal) {
    this.#left = requests;
    this.reached = new Promise<void>((resolve) => {
      const timer = seconds === undefined ? undefined : setTimeout(resolve, seconds * 1000);
      const release = terminal.onInterrupt(resolve);
      this.#reach = () => {
        clearTimeout(timer);
        release();
        resolve();
      };
    }).then(() => this.#reach());
  }

  one(): void {
    this.#left--;
    if (this.#left <= 0) this.#reach();
  }
}

/** Checks that each region has a listener. No data is sent. @throws {Unreachable} */
async function assertListening(target: Target): Promise<void> {
  const { regions } = target;
  const routes = routesOf(target);
  const problems = await Promise.all(
    regions.map(async ({ name, baseUrl }) => {
      const problem = await problemAt(baseUrl, routes);
      return problem === null
        ? []
        : [`${baseUrl} (region ${name}) cannot be reached (${problem}).`];
    }),
  );
  if (problems.flat().length === 0) return;
  throw new Unreachable(
    `${problems.flat().join('\n')}\nCheck the address, the network, and that the gateway runs.`,
  );
}

function problemAt(url: string, routes: Routes): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connectDirectly(url, { routes });
    socket.once(/^https:/i.test(url) ? 'secureConnect' : 'connect', () => {
      socket.destroy();
      resolve(null);
    });
    socket.setTimeout(10_000, () => {
      socket.destroy();
      resolve('no connection within 10 s');
    });
    socket.on('error', ({ message }) => resolve(message));
  });
}

function addressesOf({ addresses }: RunningProxy, { regions }: Target): string {
  const lines = addresses.map(({ region, url }, index) => {
    const to = regions[index]?.baseUrl ?? '';
    return `  ${region}  ${url}  →  ${to}\n`;
  });
  return `Observing. Use ${lines.length === 1 ? 'this address' : 'these addresses'} in the place of the gateway's; Ctrl-C ends.\n${lines.join('')}`;
}

function givenTarget({ target }: ObserveOptions, { environment }: Terminal): Target | null {
  return target === undefined ? null : loadTarget(target, environment, { needsKeys: false });
}

function observationOf(
  what: Pick<ObservationOptions, 'target' | 'source' | 'filters'>,
  { strict = false, record }: ObserveOptions,
) {
  return Observation.of({ ...what, strict, recording: record });
}

async function report(
  observation: Observation,
  options: ObserveOptions,
  terminal: Terminal,
): Promise<number> {
  const { record } = options;
  const result = excused(await observation.end(), options);
  printReport(result, terminal, options);
  const shown = async () => ({
    views: record === undefined ? new Map() : await exchangeViews(record, result),
  });
  const delivery = { ...options, unrecorded: observation.unrecorded };
  await deliverReports(result, options, shown, terminal, delivery);
  return exitCodeOf(result, options);
}

function nothingIn({ path, entries, hosts, problems }: HarContents): string {
  if (problems.length > 0) return problems.join('\n');
  const to =
    hosts.length === 0
      ? ''
      : `: they went to ${hosts.slice(0, 3).join(', ')}${hosts.length > 3 ? ', …' : ''}`;
  return `${path} has ${entries} entries, and none is a request of the interface${to}.`;
}

function aboutHar({ path, problems }: HarContents, observed: HarObserved, target: Target): string {
  const { judged, others, elsewhere } = observed;
  const left = [
    ...(others > 0 ? [`${others} to other paths of ${target.name}`] : []),
    ...(elsewhere > 0 ? [`${elsewhere} to other hosts`] : []),
  ];
  const lines = [
    `Judged ${judged} exchanges of ${path}${left.length === 0 ? '' : `; left out ${left.join(' and ')}`}. ` +
      'How bytes came, and how connections ended, no HAR tells.',
    ...problems,
  ];
  return `${lines.join('\n')}\n`;
}

const examples = `
Examples:
  touchstone observe --target staging.yaml --listen 8080
      point your clients at http://127.0.0.1:8080 in the place of the gateway; Ctrl-C ends it with a report
  touchstone observe --target staging.yaml --listen 0 --requests 100 --json observed.json
      any free port, and a report after 100 requests
  touchstone observe --har session.har
      what a browser or a proxy has saved, judged offline
  touchstone observe --target staging.yaml --listen 8080 --record seen.jsonl
      with bodies, so that touchstone recheck seen.jsonl can judge it again`;
