import { statSync } from 'node:fs';
import { Command } from 'commander';
import { loadCatalogue } from '../core/catalogue.ts';
import type { RunResult } from '../core/result.ts';
import { exitCodes } from '../core/verdict.ts';
import type { ObservationOptions } from '../engine/observation.ts';
import type { HarContents, HarObserved } from '../observe/observe-har.ts';
import { loadTarget } from '../target/load.ts';
import type { Target } from '../target/target.ts';
import { exchangeViews } from '../terminal/exchange-views.ts';
import { UsageError } from '../terminal/failure.ts';
import { printReport } from '../terminal/print-report.ts';
import { assertWritable, writeReports } from '../terminal/reports.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { excused, exitCodeOf } from './judging/judge-target.ts';
import { addReports, type ReportOptions } from './options/command-options.ts';
import { assertKnown } from './options/filters.ts';
import { knownFailuresAt } from './options/known-failures.ts';
import { positiveNumber, wholeNumber } from './options/option-values.ts';

interface ObserveOptions extends ReportOptions {
  readonly target?: string;
  readonly har?: string;
  readonly listen?: number;
  readonly host: string;
  readonly for?: number;
  readonly requests?: number;
  readonly record?: string;
  readonly strict?: boolean;
  readonly allowPartial?: boolean;
  readonly knownFailures?: string;
}

/** `touchstone observe`: judges what clients and a gateway say to each other, without sending anything. */
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
    .option('--target <file>', 'the target file of the gateway; its keys need not be set')
    .option(
      '--listen <port>',
      'a proxy on this port for each region; 0: any free ports',
      wholeNumber(0),
    )
    .option('--host <name>', 'the address that the proxy listens on', '127.0.0.1')
    .option('--for <seconds>', 'end after so long; default: with Ctrl-C', positiveNumber)
    .option('--requests <n>', 'end after so many requests', wholeNumber(1))
    .option('--har <file>', 'a HAR file of a browser or a proxy, instead of a proxy')
    .option('--record <file>', 'keep every exchange with its bodies, for recheck; keys are masked')
    .option('--strict', 'a failed SHOULD fails it, too')
    .option('--allow-partial', 'exit with 0 although not everything was seen')
    .option(
      '--known-failures <file>',
      'ids that may fail, one per line; a stale entry fails the run',
    );
  return addReports(command)
    .addHelpText('after', examples)
    .action(async (ids: string[], options: ObserveOptions) => {
      assertUsable(ids, options);
      const judged =
        options.har === undefined ? null : await har(options.har, ids, options, terminal);
      exit(judged ?? exitCodes.usage);
    });
}

/** @throws {UsageError} */
function assertUsable(filters: readonly string[], options: ObserveOptions): void {
  const { har, listen, target, knownFailures, record } = options;
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
  if (har === undefined && target === undefined) {
    throw new UsageError('--listen needs --target FILE: it says where the gateway is.');
  }
  assertKnown(
    filters,
    loadCatalogue().checks.map(({ id }) => id),
  );
  if (knownFailures !== undefined) knownFailuresAt(knownFailures, loadCatalogue());
  const { html, json, junit, markdown, ctrf, badge } = options;
  assertWritable({ html, json, junit, markdown, ctrf, badge, record });
}

async function har(
  path: string,
  filters: readonly string[],
  options: ObserveOptions,
  terminal: Terminal,
): Promise<number> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new UsageError(`--har ${path}: there is no such file.`);
  }
  const { lookThrough, observeHar, targetOf } = await import('../observe/observe-har.ts');
  const contents = await lookThrough(path);
  if (contents.bases.length === 0) throw new UsageError(nothingIn(contents));
  const target = targetAt(options, terminal) ?? targetOf(contents);
  const observation = await observationOf({ target, source: 'HAR', filters }, options);
  const observed = await observeHar(contents, target, observation);
  const result = await observation.end();
  const code = await report(result, options, terminal);
  terminal.stderr.write(aboutHar(contents, observed, target));
  return contents.problems.length === 0 ? code : exitCodes.usage;
}

function targetAt({ target }: ObserveOptions, { environment }: Terminal): Target | null {
  return target === undefined ? null : loadTarget(target, environment, { needsKeys: false });
}

async function observationOf(
  what: Pick<ObservationOptions, 'target' | 'source' | 'filters'>,
  { strict = false, record }: ObserveOptions,
) {
  const { Observation } = await import('../engine/observation.ts');
  return Observation.of({ ...what, strict, recording: record });
}

async function report(
  judged: RunResult,
  options: ObserveOptions,
  terminal: Terminal,
): Promise<number> {
  const { color: colour, quiet = false, github = false, knownFailures, record } = options;
  const result = excused(judged, knownFailures);
  printReport(result, terminal, { colour, quiet, github });
  await writeReports(result, options, async () => ({
    views: record === undefined ? new Map() : await exchangeViews(record, result),
  }));
  return exitCodeOf(result, options.allowPartial ?? false);
}

function nothingIn({ path, entries, hosts, problems }: HarContents): string {
  if (problems.length > 0) return problems.join('\n');
  const to =
    hosts.length === 0
      ? ''
      : `: they went to ${hosts.slice(0, 3).join(', ')}${hosts.length > 3 ? ', …' : ''}`;
  return `${path} has ${entries} entries, and none is a request of the interface${to}.`;
}

/** What a reader must know of verdicts that come from a HAR file. */
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
