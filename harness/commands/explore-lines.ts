import { loadCatalogue } from '../core/catalogue.ts';
import { atMost, percent, rateInWords } from '../core/rate.ts';

import type { Explored, Find } from '../explore/finds.ts';
import { type Act, actsOf, neededBy } from '../explore/history.ts';
import { requiredOf } from '../explore/oracle.ts';
import type { Sent } from '../explore/perform.ts';
import type { World } from '../explore/world.ts';
import { outcome } from '../judge/index.ts';
import { printable } from '../report/printable.ts';
import { wrap } from '../report/wrap.ts';
import { curlLine } from '../wire/curl.ts';

/** What exploring came to, for a terminal. */
export function exploredLines(explored: Explored, world: World, width: number): string[] {
  return [
    ...explored.finds.flatMap((find) => [...findLines(find, explored, world, width), '']),
    ...wrap(summaryOf(explored), width),
  ];
}

function summaryOf(explored: Explored): string {
  const { seed, histories, decided, acts, unknown, generations, requests, finds } = explored;
  const found =
    finds.length === 0
      ? 'Nothing breaks the specification'
      : `${finds.length} ${finds.length === 1 ? 'act breaks' : 'acts break'} the specification`;
  const open = unknown === 0 ? '' : `, ${unknown} of them undecided`;
  const rate =
    finds.length === 0 && decided > 0
      ? ` Of such histories at most ${percent(atMost({ times: 0, tries: decided }), 'up')} do, at 95 %.`
      : '';
  const givenUp =
    explored.givenUp === null ? '' : ` It was given up: ${printable(explored.givenUp)}.`;
  return (
    `${found} in ${histories} ${histories === 1 ? 'history' : 'histories'} of ${acts} acts${open}.${rate} ` +
    `${requests} requests, ${generations} generations. Seed ${seed}.${givenUp}`
  );
}

function findLines(find: Find, { decided }: Explored, world: World, width: number): string[] {
  const { violation, history, sent, foundIn, foundActs } = find;
  const acts = actsOf(history);
  const text = loadCatalogue()
    .checks.flatMap(({ basis }) => basis.citations)
    .find(({ id }) => id === violation.clause)?.text;
  const shown = acts.length < foundActs ? `; ${acts.length} of its ${foundActs} acts show it` : '';
  return [
    `✗ ${violation.row ?? violation.clause}: ${printable(violation.kind)}`,
    ...indented(`expected: ${violation.expected} (${violation.clause})`, width),
    ...(text === undefined ? [] : indented(`${violation.clause}: ${text}`, width)),
    ...indented(`instead: ${printable(violation.actual)}`, width),
    ...indented(`Found in history ${foundIn}${shown}. ${howOften(find, decided)}`, width),
    '',
    ...table(find, world).map((line) => `  ${line}`),
    '',
    '  To repeat it, with the keys in the environment:',
    ...scriptOf(acts, sent).map((line) => `  ${line}`),
  ];
}

/** In how many histories it shows, and how often its shortest one shows it again. */
function howOften({ times, again }: Find, decided: number): string {
  const histories = `Shown in ${rateInWords({ times, tries: decided }, 'histories')}.`;
  if (again.tries === 0) return histories;
  const isSure = again.times === again.tries;
  const tries = isSure
    ? `in each of ${again.tries} further tries`
    : `in ${rateInWords(again, 'further tries')}`;
  return `${histories} The shortest one, as here, shows it ${tries}.`;
}

function indented(text: string, width: number): string[] {
  return wrap(text, width - 2).map((line) => `  ${line}`);
}

/** Who did what, what came, and what the specification says; acts that go side by side have one number. */
function table({ history, sent, violation }: Find, world: World): string[] {
  const rows = history.steps.flatMap((step, index) =>
    step.map((act) => {
      const came = sent.get(act.n);
      const required = came === undefined ? null : requiredOf(act, came, sent, world);
      return [
        `${act.n === violation.n ? '✗' : ' '} ${index + 1}`,
        act.actor,
        act.region,
        inWords(act, history.steps),
        came === undefined ? 'not sent' : shortly(came),
        required === null ? '' : `${required.outcome} (${required.clause})`,
      ];
    }),
  );
  const all = [['  #', 'key', 'region', 'act', 'came', 'has to be'], ...rows];
  const widths = all[0]?.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function inWords(act: Act, steps: readonly (readonly Act[])[]): string {
  if (act.kind === 'list') return 'list models';
  if (act.kind === 'ledger') return 'ask the ledger for all that was sent';
  if (act.kind === 'ask') {
    const under = act.model === null ? '' : ` with ${printable(act.model)}`;
    return `${act.endpoint}${under}${act.stream ? ', stream' : ''}`;
  }
  const needed = neededBy(act);
  const of = steps.findIndex((step) => step.some(({ n }) => n === needed)) + 1;
  if (act.kind === 'act') return `${act.operation} of ${of}, by ${act.requestMode}`;
  const kept = act.store ? 'stored' : 'not stored';
  const twice = act.secondTurn === true ? ', two turns' : '';
  const goesOn = needed === null ? 'create' : `continue ${of}`;
  return `${goesOn} with ${printable(act.model)}, ${act.mode}${twice}, ${kept}`;
}

function shortly({ exchange, served }: Sent): string {
  const came = served === null ? 'undecided' : served ? 'served' : outcome(exchange);
  const status = exchange.response?.status;
  const short = served === false && status !== undefined ? `refused, ${status}` : came;
  return printable(short).slice(0, 40);
}

/** Curl lines, one act after the other: an id that one makes is a variable for those that follow. */
function scriptOf(acts: readonly Act[], sent: ReadonlyMap<number, Sent>): string[] {
  const named = new Map<string, string>();
  return acts.flatMap((act) => {
    const came = sent.get(act.n);
    if (came === undefined) return [];
    let line = curlLine(came.exchange);
    for (const [id, name] of named) line = line.replaceAll(id, `'"$${name}"'`);
    const { id } = came;
    if (id === null || !acts.some((other) => neededBy(other) === act.n)) return [line];
    const name = `id${named.size + 1}`;
    named.set(id, name);
    const beginning = /^[a-z]+_/i.exec(id)?.[0] ?? '';
    return [
      `${name}=$(${line} | tee /dev/stderr | grep -om1 '${beginning}[A-Za-z0-9_-]*' | head -1)`,
    ];
  });
}
