import { Command } from 'commander';
import type { ProvenClient } from '../../features/client/proof/prove-clients.ts';
import { collect, type ShardNumber, shardNumber, wholeNumber } from '../../kernel/cli/index.ts';
import { exitCodes } from '../../kernel/core/index.ts';
import { counted } from '../../kernel/report/index.ts';
import { nearest } from '../../kernel/targets/index.ts';
import { interruptible, type Terminal, UsageError } from '../../kernel/terminal/index.ts';
import type { GeneratedFault } from '../generated/index.ts';
import type { Killing } from '../matrix.ts';
import type { Circumstances, Proven } from './prove-explore.ts';

interface ProveOptions {
  readonly fault?: readonly string[];
  readonly variants?: boolean;
  readonly nullTargets?: boolean;
  readonly clients?: true | readonly string[];
  readonly honest?: true | readonly string[];
  readonly determinism?: boolean;
  readonly transients?: boolean;
  readonly mutations?: number;
  readonly variant?: readonly string[];
  readonly seed: number;
  readonly batch?: number;
  readonly window?: number | undefined;
  readonly jobs?: number | undefined;
  readonly whole?: boolean;
  readonly shard?: ShardNumber;
  readonly generated?: boolean;
  readonly sample?: number;
  readonly update?: boolean;
  readonly explore?: boolean;
  readonly seeds?: number;
  readonly acts?: number;
  readonly fixed?: boolean;
}

/** `touchstone prove`: shows that every check can fail, and that none has false positives. */
export function proveCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('prove')
    .summary('prove the suite against planted faults')
    .description(
      'Judges reference gateways with one planted fault each: the checks that the fault breaks must ' +
        'fail, and no others but those recorded. Exits with 1 if that is not so.',
    )
    .option('--fault <id>', 'only this fault, with its failures in full; may be repeated', collect)
    .option(
      '--generated',
      'only the faults that are planted by rule: one decision, wrong in one corner',
    )
    .option(
      '--sample <n>',
      'how many of these, drawn by the seed (default: 100, with --whole or --generated all)',
      wholeNumber(0, 1e6),
    )
    .option(
      '--update',
      'record what else fails under the faults; review the change before you commit it',
    )
    .option(
      '--variants',
      'only the legal variants of the gateway, under which every check must pass',
    )
    .option('--variant <id>', 'only this legal variant; may be repeated', collect)
    .option(
      '--null-targets',
      'only null targets: servers that are not gateways, and must pass no MUST',
    )
    .option(
      '--honest [ids...]',
      'only honest gateways: right ones that lag, limit, buffer or decline, and must be conformant, ' +
        'and their broken twins, which must not; each once on an idle machine, with --whole twice more on a busy one, with further seeds',
    )
    .option(
      '--explore',
      'only faults that no single answer shows: each has to be found by exploring, and made short; with ' +
        '--variants or --honest, right gateways, of which nothing may be found',
    )
    .option('--seeds <n>', 'with --explore: how many seeds, from --seed on (3)', wholeNumber(1, 99))
    .option(
      '--acts <n>',
      'with --explore --variants or --honest: acts on all gateways together (200000)',
      wholeNumber(1, 1e9),
    )
    .option('--fixed', 'with --explore: judge each fault by the whole suite, too')
    .option(
      '--clients [ids...]',
      'only the client mode: faulty clients, each of which must be found, right ones, which must not be ' +
        'blamed, and programs that are no clients, which must earn nothing; those that are named, or all',
    )
    .option(
      '--determinism',
      'only determinism: order, random data and pace must not change a verdict',
    )
    .option(
      '--transients',
      'only transient failures: a time-out or an overload must not count as a violation',
    )
    .option(
      '--mutations <rounds>',
      'only answers changed by chance, judged in so many rounds: no judgement may break',
      wholeNumber(1, 1e6),
    )
    .option('--seed <n>', 'the seed of all random data', wholeNumber(0, 1e10), 1)
    .option(
      '--whole',
      'judge every fault by every check, not only the first in each area; with --determinism, under every combination; with --honest, on a busy machine, too; with --variants, each alone',
    )
    .option(
      '--shard <i/n>',
      'only part i of n of the faults, variants, honest gateways or clients: all parts together judge them all',
      shardNumber,
    )
    .option(
      '--batch <n>',
      'gateways started together (default: 210; 600 if most are judged by few checks)',
      wholeNumber(1, 10_000),
    )
    .option(
      '--window <n>',
      'gateways that each process judges at once (default: 3; 8 if most are judged by few checks)',
      wholeNumber(1, 1_000),
    )
    .option('--jobs <n>', 'processes (default: one per core, at most 4)', wholeNumber(1, 256))
    .addHelpText('after', examples)
    .action(async (options: ProveOptions) => {
      const say = (line: string): void => void terminal.stderr.write(`${line}\n`);
      const { signal, release } = interruptible(terminal, say);
      try {
        const tell = (text: string): void => void terminal.stdout.write(text);
        const { printed, holds } = await proofAskedFor(options)(options, { say, tell, signal });
        tell(printed);
        exit(holds ? exitCodes.conformant : exitCodes.nonconformant);
      } finally {
        release();
      }
    });
}

type Proof = (options: ProveOptions, circumstances: Circumstances) => Promise<Proven>;

function proofAskedFor(options: ProveOptions): Proof {
  if (options.explore === true) return proveExploring;
  if (options.variants === true || options.variant !== undefined) return proveVariants;
  if (options.nullTargets === true) return proveNullTargets;
  if (options.honest !== undefined) return proveHonest;
  if (options.clients !== undefined) return proveKnownClients;
  if (options.transients === true) return proveTransients;
  if (options.mutations !== undefined) return proveMutations;
  if (options.determinism === true) return proveDeterminism;
  return options.generated === true ? proveGeneratedFaults : proveAllFaults;
}

/** Proves by exploration that faults are found, without false positives. */
async function proveExploring(
  options: ProveOptions,
  circumstances: Circumstances,
): Promise<Proven> {
  const { proveExplored, proveNothingFound } = await import('./prove-explore.ts');
  const { fault, variant, variants = variant !== undefined, honest } = options;
  if (!variants && honest === undefined) {
    const { historyFaults } = await import('../histories/index.ts');
    return proveExplored(named(historyFaults, fault, 'fault of histories'), options, circumstances);
  }
  const { honestGateways } = await import('../honest/index.ts');
  const { shapes } = await import('../nodes/index.ts');
  const { allVariants } = await import('../judge-variants.ts');
  const asked = honest === true ? undefined : honest;
  const gateways = [
    ...(variants ? named(allVariants, variant, 'variant') : []).map(
      ({ id }) => ({ kind: 'variant', id }) as const,
    ),
    ...(honest === undefined
      ? []
      : named([...honestGateways, ...shapes], asked, 'honest gateway')
    ).map(
      ({ id }) => ({ kind: shapes.some((one) => one.id === id) ? 'shape' : 'honest', id }) as const,
    ),
  ];
  return proveNothingFound(gateways, options, circumstances);
}

/** Proves with faulty clients, valid ones, and programs that are not clients. */
async function proveKnownClients(
  { clients: asked, shard }: ProveOptions,
  { say, signal }: Circumstances,
): Promise<Proven> {
  const { knownClients, proveClients } = await import(
    '../../features/client/proof/prove-clients.ts'
  );
  const chosen = named(knownClients, asked === true ? undefined : asked, 'client', shard);
  const told = ({ client, problem }: ProvenClient): void =>
    say(`${problem === null ? '✓' : '✗'} ${client.id}`);
  const proven = await proveClients(chosen, { told, signal });
  const wrong = proven.filter(({ problem }) => problem !== null);
  const lines = wrong.map(({ client, problem }) => `✗ ${client.id}: ${client.what} ${problem}`);
  return {
    printed: [
      ...lines,
      `${counted(proven.length, 'client')}: ${wrong.length} not judged as they should be.`,
      '',
    ].join('\n'),
    holds: proven.length === chosen.length && wrong.length === 0,
  };
}

/** Proves the handwritten faults, and a sample of the generated ones. */
async function proveAllFaults(
  options: ProveOptions,
  circumstances: Circumstances,
): Promise<Proven> {
  const asked = options.fault;
  const isGenerated = (id: string): boolean => id.startsWith('generated/');
  const written = asked?.filter((id) => !isGenerated(id));
  const generated = asked?.filter(isGenerated);
  const parts: Proven[] = [];
  const add = (part: Proven): void => {
    circumstances.tell(`${part.printed}\n`);
    parts.push(part);
  };
  if (written === undefined || written.length > 0) {
    const only = written === undefined ? {} : { fault: written };
    add(await proveFaults({ ...options, ...only }, circumstances));
  }
  if (generated === undefined || generated.length > 0) {
    const only = generated === undefined ? {} : { fault: generated };
    add(await proveGeneratedFaults({ ...options, ...only }, circumstances));
  }
  return { printed: '', holds: parts.every(({ holds }) => holds) };
}

/** Faults in a sample: enough for a daily run to find a systematic gap. */
const usualSample = 100;

async function proveGeneratedFaults(
  options: ProveOptions,
  { say, signal }: Circumstances,
): Promise<Proven> {
  const { generatedFault, generatedFaults, sampleOf } = await import('../generated/index.ts');
  const { proveGenerated } = await import('../generated/prove-generated.ts');
  const { isNoticed, printNoticed } = await import('../generated/print-generated.ts');
  const { fault: asked, seed, whole = false, generated = false, update = false, shard } = options;
  const one = (id: string): GeneratedFault => {
    try {
      return generatedFault(id);
    } catch {
      return named(all, [id], 'fault')[0] ?? generatedFault(id);
    }
  };
  const all = generatedFaults();
  const usual = whole || generated ? all.length : usualSample;
  const { sample = usual } = options;
  const chosen =
    asked === undefined ? partOf(sampleOf(sample, seed), 'generated fault', shard) : asked.map(one);
  say(`${chosen.length} of ${all.length} generated faults, drawn by the seed ${seed}`);
  const onJudged = judgedSoFar(say);
  const judging = {
    ...pace(options),
    whole: asked !== undefined,
    signal,
    onJudged,
  };
  const noticed = await proveGenerated(chosen, judging);
  if (update && asked === undefined && shard === undefined && noticed.length === chosen.length) {
    const { killRecord, killRows } = await import('../generated/kill-table.ts');
    killRecord.write(killRows(noticed));
  }
  const { printFault } = await import('../print.ts');
  const inFull = (asked === undefined ? [] : noticed).map(
    ({ fault, failed, verdicts }) =>
      `${printFault({ fault, killedBy: failed, otherFailures: [], unexpected: [] }, verdicts)}\n`,
  );
  return {
    printed: [...inFull, printNoticed(noticed)].join(''),
    // A sample that is drawn in addition to other faults reports those that no check noticed, and does not fail for
    // them.
    holds:
      noticed.length === chosen.length &&
      noticed.every((one) => isNoticed(one) || (!generated && one.errors.length === 0)),
  };
}

function judgedSoFar(say: Circumstances['say']): (done: number, of: number) => void {
  return (done, of) => say(`${done} of ${of} gateways judged`);
}

async function proveFaults(options: ProveOptions, { say, signal }: Circumstances): Promise<Proven> {
  const { faults } = await import('../faults/index.ts');
  const { prove, recordOtherFailures } = await import('../prove.ts');
  const { isAsRecorded, printChanges, printFault, printProof, printRecorded } = await import(
    '../print.ts'
  );
  const asked = options.fault;
  const chosen = named(faults, asked, 'fault', options.shard);
  const { whole = asked !== undefined, update = false } = options;
  const onJudged = judgedSoFar(say);
  const proof = await prove(chosen, { ...pace(options), whole, signal, onJudged });
  const inFull = (asked === undefined ? [] : proof.matrix).map(
    (line) => `${printFault(line, proof.verdicts.get(line.fault.id) ?? new Map())}\n`,
  );
  if (update) recordOtherFailures(proof);
  const all = (proof.unbroken ?? []).length === 0 && proof.matrix.length === chosen.length;
  return {
    printed: [
      ...inFull,
      printProof(proof),
      update ? printRecorded(proof) : printChanges(proof, acceptance(options)),
    ].join(''),
    holds: all && proof.matrix.every(update ? isAccepted : isAsRecorded),
  };
}

/**
 * True if `--update` settles the result: other failures are now recorded as expected, but not errors of Touchstone
 * itself.
 */
function isAccepted({ survived, unexpected }: Killing): boolean {
  return survived.length === 0 && unexpected.every(({ to }) => to.state !== 'error');
}

/** Returns the command line that records the result as expected. */
function acceptance({ fault = [], whole = false }: ProveOptions): string {
  const asked = fault.map((id) => ` --fault ${id}`).join('');
  return `touchstone prove${asked}${whole ? ' --whole' : ''} --update`;
}

async function proveVariants(
  options: ProveOptions,
  { say, signal }: Circumstances,
): Promise<Proven> {
  const { allVariants, judgeVariants, toleratedWell } = await import('../judge-variants.ts');
  const { printTolerations } = await import('../print.ts');
  const chosen = named(allVariants, options.variant, 'variant', options.shard);
  const onJudged = judgedSoFar(say);
  const isAlone = options.whole === true || options.variant !== undefined;
  const tolerations = await judgeVariants(chosen, { ...pace(options), isAlone, signal, onJudged });
  return {
    printed: printTolerations(tolerations),
    holds: tolerations.length === chosen.length && tolerations.every(toleratedWell),
  };
}

async function proveNullTargets(options: ProveOptions, { signal }: Circumstances): Promise<Proven> {
  const { judgeNullTargets } = await import('../judge-null-targets.ts');
  const { earnedNothing, printEarned } = await import('../print.ts');
  const earned = await judgeNullTargets({ ...pace(options), signal });
  return {
    printed: printEarned(earned),
    holds: earned.length > 0 && earned.every(earnedNothing),
  };
}

async function proveHonest(options: ProveOptions, { say, signal }: Circumstances): Promise<Proven> {
  const { brokenTwins, honestGateways } = await import('../honest/index.ts');
  const { isJudgedRight, judgeHonest, plannedRuns, wholeExtent, worstRuns } = await import(
    '../honest/judge-honest.ts'
  );
  const { printHonest } = await import('../print.ts');
  const { honest, seed, whole = false, update = false, jobs } = options;
  const asked = honest === true ? undefined : honest;
  const ids = named(
    [...honestGateways, ...brokenTwins],
    asked,
    'honest gateway',
    options.shard,
  ).map(({ id }) => id);
  const extent = whole ? wholeExtent(seed) : { passes: [{ seed, busy: false }] };
  const of = plannedRuns(ids, extent).length;
  const onJudged = (done: number): void => say(`${done} of ${of} runs judged`);
  const runs = await judgeHonest(ids, extent, { jobs, signal, onJudged });
  if (update) {
    const { writeOutcomes } = await import('../honest/verdicts.ts');
    writeOutcomes(worstRuns(runs));
  }
  return {
    printed: printHonest(runs),
    holds: runs.length === of && runs.every(isJudgedRight),
  };
}

async function proveDeterminism(options: ProveOptions, { signal }: Circumstances): Promise<Proven> {
  const { allConditions } = await import('../conditions.ts');
  const { isDeterministic, determinism } = await import('../determinism.ts');
  const { printDeterminism } = await import('../print.ts');
  const extent = options.whole === true ? { sound: allConditions } : {};
  const judged = await determinism({ ...pace(options), signal }, extent);
  return { printed: printDeterminism(judged), holds: judged.every(isDeterministic) };
}

async function proveTransients({ seed }: ProveOptions, { signal }: Circumstances): Promise<Proven> {
  const { blamesNobody, judgeTransients } = await import('../answers/sound-answers.ts');
  const { printTransients } = await import('../print.ts');
  const tried = await judgeTransients({ seed, signal });
  return { printed: printTransients(tried), holds: blamesNobody(tried) };
}

async function proveMutations(
  { seed, mutations: rounds = 1 }: ProveOptions,
  { signal }: Circumstances,
): Promise<Proven> {
  const { breaksNothing, judgeMutations } = await import('../answers/sound-answers.ts');
  const { printMutations } = await import('../print.ts');
  const tried = await judgeMutations(rounds, { seed, signal });
  return { printed: printMutations(tried), holds: breaksNothing(tried) };
}

function pace({ seed, batch, window, jobs }: ProveOptions) {
  return { seed, batch, window, jobs };
}

/**
 * Returns the defects with these ids; without ids, all of them, or those of a part.
 *
 * @throws {UsageError} with similar ids
 */
function named<D extends { readonly id: string }>(
  all: readonly D[],
  asked: readonly string[] | undefined,
  noun: string,
  shard?: ShardNumber,
): readonly D[] {
  for (const id of asked ?? []) {
    if (all.some((one) => one.id === id)) continue;
    const near = nearest(id, new Set(all.map((one) => one.id)), 5);
    throw new UsageError(
      `There is no ${noun} "${id}".${near.length === 0 ? '' : ` Did you mean ${near.join(', or ')}?`}`,
    );
  }
  if (asked === undefined) return partOf(all, noun, shard);
  return all.filter(({ id }) => asked.includes(id));
}

/** Returns every n-th, because neighbours are similar and take about the same time. */
function partOf<T>(
  all: readonly T[],
  noun: string,
  { index, of }: ShardNumber = { index: 1, of: 1 },
): readonly T[] {
  const part = all.filter((_, at) => at % of === index - 1);
  if (part.length > 0) return part;
  throw new UsageError(`There are ${all.length} ${noun}s: split them into as many parts at most.`);
}

const examples = `
Examples:
  touchstone prove
      every planted fault, each by the checks that it is to break; minutes
  touchstone prove --fault more-items
      one fault by every check, with its failures in full
  touchstone prove --variants
      no legal gateway is blamed; minutes`;
