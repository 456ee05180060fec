import { Command } from 'commander';
import {
  type CheckDefinition,
  covers,
  cut,
  isAskedFor,
  loadCatalogue,
  parseSender,
  type Requirement,
  type Side,
  saysWhoCalls,
} from '../core/index.ts';
import { type PlannedScenario, plan } from '../engine/index.ts';
import { type Design, designOf, expectedOf, inWords, rowOf } from '../model/index.ts';
import {
  type Block,
  basisInWords,
  counted,
  type ExchangeView,
  paragraph,
  printed,
  type StreamView,
} from '../report/index.ts';
import { withDefaults } from '../targets/index.ts';
import type { Terminal } from '../terminal/index.ts';
import type { Example } from './explain-example.ts';
import { type Explain, explained, titled } from './explained.ts';
import { provided } from './feature.ts';
import { assertKnown } from './options/filters.ts';

/** Maximum number of requirements for which exchanges are shown. */
const mostExamples = 3;

/** Length at which bodies are cut. `run --record` keeps complete bodies. */
const longestBody = 1_200;
const longestFrame = 240;
const framesAtStart = 3;
const framesAtEnd = 4;

/** Makes `touchstone explain`, which explains requirements with examples and planted faults. */
export function explainCommand(terminal: Terminal): Command {
  return new Command('explain')
    .summary('explain a requirement and how it is checked')
    .description(
      'Explains requirements: what must hold, the clause or source it comes from, what is sent and ' +
        'expected, a good exchange with the reference gateway, and a bad one under a planted fault.',
    )
    .argument('<ids...>', 'an id or an id prefix: storage/responses.lookup-served')
    .option('--short', 'without the exchanges')
    .option('--json', 'print JSON, without the exchanges')
    .addHelpText('after', examples)
    .action(async (ids: string[], { short = false, json = false }: ExplainOptions) => {
      const all = (['both-sides', 'client'] as const).flatMap((side) => loadCatalogue(side).checks);
      assertKnown(
        ids,
        all.map(({ id }) => id),
      );
      const rows = new Map<Requirement, CheckDefinition[]>();
      for (const check of all.filter(({ id }) => ids.some((prefix) => isAskedFor(id, prefix)))) {
        const { requirement } = check;
        rows.set(requirement, [...(rows.get(requirement) ?? []), check]);
      }
      if (json) {
        terminal.stdout.write(`${JSON.stringify(await inJson(rows), null, 2)}\n`);
        return;
      }
      const withExamples = !short && rows.size <= mostExamples;
      const explainers: Readonly<Record<Side, () => Promise<Explain>>> = {
        gateway: once(() => explainer(idsOfGateway(rows), withExamples)),
        client: once(() => provided('explainOfClient', 'The client mode')(withExamples)),
        'both-sides': async () => explainedFromBothSides,
      };
      const blocks: Block[] = [];
      for (const [requirement, checks] of rows) {
        const explain = await explainers[requirement.judges]();
        blocks.push(...(await explain(requirement, checks)));
      }
      if (!short && rows.size > mostExamples) {
        const why = `these are ${rows.size} requirements: name one of them.`;
        blocks.push(paragraph(''), paragraph(`The exchanges are left out, because ${why}`));
      }
      const document = { kind: 'explanation', title: '', conclusion: null, blocks };
      const { stdout } = terminal;
      stdout.write(printed(document, { colour: false, width: stdout.columns || 100 }));
    });
}

/** Explains a requirement that only a run shows that plays the providers. Its faults are planted in a proxy. */
const explainedFromBothSides: Explain = async (requirement, checks) =>
  explained(requirement, checks, [
    ...titled('Source', basisInWords(requirement.basis)),
    ...titled('Judged for', [checks.flatMap(({ value }) => value ?? []).join(', ')]),
    ...titled('Needs', ['`providers` in the target file: Touchstone plays them']),
  ]);

interface ExplainOptions {
  readonly short?: boolean;
  readonly json?: boolean;
}

/** Returns the rows, each with its checks and the planted faults that these notice. */
async function inJson(rows: ReadonlyMap<Requirement, readonly CheckDefinition[]>) {
  const { faults } = await provided('plantedFaults', 'The list of planted faults')();
  return [...rows].map(([row, checks]) => ({
    ...row,
    checks: checks.map(({ id }) => ({
      id,
      faults: faults
        .filter(({ breaks }) => covers(breaks, id))
        .map(({ id: fault, what }) => ({ id: fault, what })),
    })),
  }));
}

/** Returns the ids of the checks that judge a gateway. */
function idsOfGateway(rows: ReadonlyMap<Requirement, readonly CheckDefinition[]>): string[] {
  return [...rows]
    .filter(([{ judges }]) => judges === 'gateway')
    .flatMap(([, checks]) => checks.map(({ id }) => id));
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function explainer(ids: readonly string[], withExamples: boolean): Promise<Explain> {
  const { faults } = await provided('plantedFaults', 'The list of planted faults')();
  const { exampleOf } = await import('./explain-example.ts');
  // Planning requires a target, although nothing is sent to it.
  const nowhere = withDefaults(
    {
      regions: [{ name: 'none', baseUrl: 'http://127.0.0.1:9' }],
      keys: { owner: 'not-used-here' },
      models: [],
    },
    'none',
  );
  // Design for a gateway with two regions.
  const design = designOf({
    regions: ['one region', 'another'],
    clock: true,
    thorough: false,
    obstacle: () => null,
  });
  const planned = new Map((await plan(nowhere, ids)).checks.map((check) => [check.id, check]));
  return async (requirement, checks) => {
    const [first] = checks;
    if (first === undefined) return [];
    // The fault that breaks the fewest checks is the clearest example.
    const breaking = faults
      .filter(({ breaks }) => covers(breaks, first.id))
      .sort((one, other) => one.breaks.length - other.breaks.length);
    const example = withExamples ? await exampleOf(first.id, breaking) : null;
    const values = checks.flatMap(({ value }) => value ?? []);
    return explained(requirement, checks, [
      ...titled('Source', basisInWords(first.basis)),
      ...(checks.length > 1 ? titled('Judged for', [values.join(', ')]) : []),
      ...(first.inEachRegion === true ? titled('Judged in', ['every region of the target']) : []),
      ...(example === null ? [] : exchanges(first, example)),
      ...titled(
        'Tried on stored responses',
        storedActs(
          checks.map(({ id }) => id),
          design,
        ),
      ),
      ...titled('Scenarios', scenarioLines(planned.get(first.id)?.scenarios ?? [])),
      ...titled(
        'Planted faults',
        breaking.map((fault) => `${fault.id}: ${fault.what}`),
      ),
    ]);
  };
}

/** Returns a line for each scenario of a check, and one for those whose acts depend on the target. */
function scenarioLines(scenarios: readonly PlannedScenario[]): string[] {
  // Every check has those that ask again, where an answer stayed away.
  const own = scenarios.filter(({ name }) => parseSender(name).origin !== 'asked-again');
  const acts = own.filter(({ requests }) => requests === 0);
  const named = [...new Set(acts.map(({ name }) => name.slice(0, name.lastIndexOf('/'))))];
  return [
    ...own
      .filter(({ requests }) => requests > 0)
      .map(
        ({ name, requests, generations }) =>
          `${name}: ${counted(requests, 'request')}, ${counted(generations, 'generation')}`,
      ),
    ...(acts.length === 0 ? [] : [`${named.join(', ')}: as many as the target allows`]),
  ];
}

/** Returns the acts of a design that checks judge, with their expected outcomes. */
function storedActs(ids: readonly string[], { cells }: Design): string[] {
  const own = cells.filter((cell) => ids.includes(rowOf(cell) ?? ''));
  return own.map((cell) => {
    const { outcome, recommended, clause } = expectedOf(cell);
    const expected = outcome === 'either' ? `either, better ${recommended}` : outcome;
    return `${inWords(cell)}: ${expected} (${clause})`;
  });
}

function exchanges({ id }: CheckDefinition, { good, bad }: Example): readonly Block[] {
  const of = id.includes(':') ? ` (${id})` : '';
  return [
    ...(good === null ? [] : titled(`What is sent${of}`, requestLines(good))),
    ...(bad === null ? [] : titled('What is expected', [bad.finding.expected])),
    ...(good === null ? [] : titled('A good response', responseLines(good))),
    ...(bad === null
      ? []
      : [
          ...titled(`A bad response: ${bad.fault.id}`, [
            bad.fault.what,
            ...responseLines(bad.exchange),
          ]),
          ...titled('What the check says of it', [bad.finding.actual]),
        ]),
  ];
}

/** Headers that every request has and that no rule concerns. */
const usual = /^(host|connection|content-length|accept-encoding|upgrade|sec-websocket-.*)$/i;

function requestLines({ request, stream }: ExchangeView): string[] {
  const { pathname, search } = new URL(request.url);
  return [
    `${request.method} ${pathname}${search}`,
    ...request.headers
      .filter(([name]) => !usual.test(name) && !saysWhoCalls(name))
      .map(([name, value]) => `${name}: ${value}`),
    ...(request.body === null ? [] : ['', cut(request.body.text, longestBody)]),
    ...(stream?.over === 'websocket' ? frameLines(stream, 'us') : []),
  ];
}

function responseLines({ answer, stream, failure }: ExchangeView): string[] {
  const body = stream === null ? (answer?.body.text ?? '') : '';
  return [
    answer === null ? 'no status line' : `status ${answer.status}`,
    ...(answer?.headers ?? [])
      .filter(([name]) => name.toLowerCase() === 'content-type')
      .map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['', cut(body, longestBody)]),
    ...(stream === null ? [] : frameLines(stream, 'gateway')),
    ...(stream?.ping === undefined ? [] : [`a ping was ${stream.ping}`]),
    ...(failure === null ? [] : [failure]),
  ];
}

/** Returns the first frames of a stream and its last ones: those in between are repetitive. */
function frameLines({ frames }: StreamView, sender: 'us' | 'gateway'): string[] {
  const sent = frames.filter(({ from }) => from === sender);
  const lines = sent.map(({ name, data }) =>
    cut(`${name === null ? '' : `${name}: `}${data.text}`, longestFrame),
  );
  const left = lines.length - framesAtStart - framesAtEnd;
  if (left <= 1) return lines;
  return [
    ...lines.slice(0, framesAtStart),
    `… ${left} more …`,
    ...lines.slice(lines.length - framesAtEnd),
  ];
}

const examples = `
Examples:
  touchstone explain storage/responses.false-denies
      one requirement, with what is sent and what comes back
  touchstone explain storage/responses.false-denies:continue
      the same for one value of its axis
  touchstone explain access/owners --short
      all requirements of an area, without exchanges
`;
