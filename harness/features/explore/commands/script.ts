import { type Citation, type Exchange, inShell, type Seen } from '../../../kernel/core/index.ts';
import { turnsOf } from '../../../kernel/judge/index.ts';
import { contentOf, statusAtEnd, turnEnds } from '../../../kernel/protocols/index.ts';
import { printable } from '../../../kernel/report/index.ts';
import { type Carried, curlLine, keyVariable, turnsLine } from '../../../kernel/wire/index.ts';
import { conversationOf } from '../conversation.ts';
import { type Act, actsOf, type History, neededBy, pauseBefore, type Sent } from '../index.ts';
import type { ToldAct, ToldFind } from '../report/exploration.ts';
import { madeBefore, turnsFunction } from './socket-program.ts';

interface Scripted {
  readonly kind: string;
  readonly source: Citation;
  readonly expected: string;
  readonly actual: string;
  readonly again: Seen;
  readonly acts: readonly ToldAct[];
  readonly history: History;
  readonly sent: ReadonlyMap<number, Sent>;
  readonly seed: number;
}

/** Minimum pause in milliseconds to repeat: shorter ones mostly result from other requests. */
const shortestPause = 1_000;

/**
 * Returns a program for `sh` that repeats a history. `curl` sends the requests, `grep` finds the id of each new
 * response, and concurrent acts stay concurrent. A short program for Node sends turns over a WebSocket. The script
 * contains no key.
 */
export function scriptOf(scripted: Scripted): string {
  const { kind, source, acts, history, sent, seed, again } = scripted;
  const performed = actsOf(history).flatMap((act) => sent.get(act.n) ?? []);
  const told = new Map(actsOf(history).map(({ n }, index) => [n, acts[index]]));
  const names = new Map<string, string>();
  const body: string[] = [];
  let ended: number | null = null;
  for (const step of history.steps) {
    const there = step.flatMap((act) => sent.get(act.n) ?? []);
    const began = Math.min(...there.map(({ started }) => started));
    const pause = ended === null ? 0 : began - ended;
    if (pause >= shortestPause || pauseBefore(step) > 0)
      body.push(`sleep ${Math.ceil(pause / 1000)} # as long as then`);
    for (const { act } of there) body.push(...comment(told.get(act.n)));
    const live = there.filter(({ named }) => named !== undefined);
    const isBeside = there.length > 1 || live.length > 0;
    for (const one of there) body.push(asked(one, label(one.act), isBeside, names));
    // A live stream goes on during the next steps, and has named its response after a moment.
    if (live.length > 0) body.push('sleep 1');
    else if (isBeside) body.push('wait');
    for (const one of there) body.push(...answered(one, label(one.act)));
    ended = Math.max(...there.map((one) => one.ended));
  }
  return `${[
    '#!/bin/sh',
    ...comments(`${kind}: breaks ${source.id}. Found by touchstone explore with seed ${seed}.`),
    ...comments(
      `Needs ${[...programsFor(performed), 'the keys in the environment'].join(', ')}. Exit code: 1 it shows,`,
    ),
    ...comments('0 it does not, 2 the answer has to be read, or something is missing.'),
    ...(again.times < again.tries
      ? comments(`It showed in ${again.times} of ${again.tries} tries: run it several times.`)
      : []),
    ...needs(performed),
    't=$(mktemp -d) || exit 2',
    `trap 'rm -rf "$t"' EXIT`,
    ...(performed.some(({ id }) => id !== null) ? [idFunction] : []),
    ...(programsFor(performed).includes('node') ? [turnsFunction] : []),
    `status() { sed -n -e 's/^HTTP\\/[0-9.]* \\([0-9][0-9][0-9]\\).*/\\1/p' -e 's/^TURN //p' "$t/$1" | tail -n 1; }`,
    `tell() { echo "$1: $(status "$1")"; }`,
    '',
    ...body,
    'wait',
    '',
    ...verdict(scripted, label),
  ].join('\n')}\n`;

  function label(act: Act): string {
    return told.get(act.n)?.label ?? String(act.n);
  }

  function asked(one: Sent, name: string, beside: boolean, known: Map<string, string>): string {
    // All turns of a WebSocket are sent where its first one was.
    const first = performed.find(({ whole }) => whole === one.whole) ?? one;
    if (first !== one) return `cp "$t/${label(first.act)}" "$t/${name}"`;
    const lines = [one.whole, ...one.besides].map((exchange) =>
      isOverSocket(exchange) ? turnsOver(exchange, known) : curlLine(exchange, known),
    );
    const all = lines.length === 1 ? lines.join('') : `{ ${lines.join('; ')}; }`;
    return `${all} >"$t/${name}"${beside ? ' &' : ''}`;
  }

  function answered({ act, whole, id, item }: Sent, name: string): string[] {
    const lines = [`tell ${name}`];
    const on = performed.filter((other) => neededBy(other.act) === act.n);
    // An answer also names what it continues, and the turns of a WebSocket stand together.
    const before = performed.filter(
      (other) => (other.whole === whole && other.act.n < act.n) || other.act.n === neededBy(act),
    );
    const made = [
      ...(id === null || on.length === 0 ? [] : [{ made: id, variable: `id${name}` }]),
      ...(item === null || !on.some((other) => isReference(other.act))
        ? []
        : [{ made: item, variable: `item${name}` }]),
    ];
    for (const { made: one, variable } of made) {
      const known = before.flatMap((other) => names.get(other.id ?? '') ?? []);
      names.set(one, variable);
      const beginning = /^[A-Za-z]+[_-]/.exec(one)?.[0];
      const pattern = `${beginning ?? ''}[A-Za-z0-9_=.:+/-]*`;
      // An id without a known prefix is found by its member name.
      const form = beginning === undefined ? `'"id": *"${pattern}"'` : `'${pattern}'`;
      const besides = known.map((other) => ` "$${other}"`).join('');
      lines.push(`${variable}=$(made ${form} ${name}${besides}) || exit 2`);
    }
    return lines;
  }
}

function isReference(act: Act): boolean {
  return act.kind === 'act' && act.operation === 'item-reference';
}

function isOverSocket({ request }: Exchange): boolean {
  return /^wss?:/.test(request.url);
}

/** Returns all turns of a connection in one line. A later turn names the response of the one before by a placeholder. */
function turnsOver(exchange: Exchange, known: Carried): string {
  const ids = turnsOf(exchange).map((one) => contentOf(one).id);
  const frames = exchange.socket?.frames ?? [];
  const ours = frames.filter(({ from, kind }) => from === 'us' && kind === 'text');
  const turns = ours.map(({ data }, index) => {
    const before = ids[index - 1];
    const turn = Buffer.from(data).toString();
    return before == null ? turn : turn.replaceAll(before, madeBefore);
  });
  return turnsLine('turns', exchange, turns, known);
}

/** Shell function that finds the first id in an answer, other than those that the answer continues. */
const idFunction = `made() {
  found=$(grep -o -e "$1" "$t/$2" | sed 's/.*"\\(.*\\)"$/\\1/')
  answer=$2; shift 2
  for other; do found=$(echo "$found" | grep -vxF -e "$other"); done
  if [ -n "$found" ]; then echo "$found" | head -n 1; else echo "$answer made no response: nothing to go on with." >&2; cat "$t/$answer" >&2; exit 2; fi
}`;

/** Lines that check for variables and tools before the first paid request. */
function needs(performed: readonly Sent[]): string[] {
  const variables = new Set(
    performed.flatMap(({ exchange: { about } }) => [
      keyVariable(about.key),
      ...(about.beside === undefined ? [] : [keyVariable('owner')]),
      ...Object.values(about.secretHeaders ?? {}).flatMap((template) =>
        [...template.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name),
      ),
    ]),
  );
  return [
    ...[...variables].map((name) => `: "\${${name}:?is not set}"`),
    ...programsFor(performed).map(
      (name) =>
        `command -v ${name} >/dev/null || { echo 'Needs ${name}, which is not there.' >&2; exit 2; }`,
    ),
  ];
}

/** Programs that a script needs in addition to those of every system. */
function programsFor(performed: readonly Sent[]): string[] {
  return performed.some(({ exchange }) => isOverSocket(exchange)) ? ['curl', 'node'] : ['curl'];
}

/** Types of events that end a turn which was served. */
const goodEnds = turnEnds.filter((type) =>
  ['completed', 'incomplete'].includes(statusAtEnd(type) ?? ''),
);

function verdict(
  { expected, actual, source, acts, history, sent }: Scripted,
  label: (act: Act) => string,
): string[] {
  const shown = acts.findIndex(({ shows }) => shows);
  const act = actsOf(history)[shown];
  const one = act === undefined ? undefined : sent.get(act.n);
  if (act === undefined || one === undefined) return ['exit 2'];
  const name = label(act);
  const has = `has to be: ${expected} (${source.id})`;
  const says = (what: string, code: number): string =>
    `echo ${quoted(`${name} ${what}`)}; exit ${code}`;
  const word = wordIn(one, sent, expected === 'denied');
  if (word !== null) {
    return [
      `if grep -qi ${quoted(word)} "$t/${name}"; then ${says(`holds “${word}”; ${has}`, 1)}; fi`,
      says(`holds no “${word}”`, 0),
    ];
  }
  if (expected === 'served' || expected === 'denied') {
    const denied = expected === 'denied';
    const then = one.exchange.response?.status ?? 0;
    const isSocket = isOverSocket(one.exchange);
    const served = ['2*', ...(isSocket ? goodEnds : [])];
    const refused = ['4*', ...(isSocket ? ['error'] : []), ...(then < 400 ? [] : [String(then)])];
    // Status 408 or 429 proves nothing now, unless the original answer had it.
    const putOff = ['408', '429'].filter((status) => status !== String(then));
    return [
      `case $(status ${name}) in`,
      `  ${putOff.join(' | ')}) ;;`,
      `  ${served.join(' | ')}) ${says(`was served; ${has}`, denied ? 1 : 0)} ;;`,
      `  ${refused.join(' | ')}) ${says(`was refused; ${has}`, denied ? 0 : 1)} ;;`,
      'esac',
      says(`has neither been served nor refused; ${has}`, 2),
    ];
  }
  return [
    `cat "$t/${name}"`,
    `echo; echo ${quoted(`${name} ${has}`)}`,
    `echo ${quoted(`Then it was: ${actual}`)}`,
    'exit 2',
  ];
}

/**
 * Returns a word that shows the find: a word of a foreign conversation or, for a request that had to be denied and was
 * not served, a word of any other act. The word occurs verbatim in the received bytes, so that `grep` can find it.
 */
function wordIn(
  { act, exchange, served }: Sent,
  sent: ReadonlyMap<number, Sent>,
  denied: boolean,
): string | null {
  const own = new Set([act.n, ...conversationOf(act, sent).map((maker) => maker.act.n)]);
  const came = [
    exchange.response?.body ?? '',
    ...(exchange.socket?.frames ?? []).flatMap(({ from, data }) => (from === 'us' ? [] : [data])),
  ].map((bytes) => Buffer.from(bytes).toString().toLowerCase());
  const strange = [...sent.values()].filter(
    (other) => !own.has(other.act.n) || (denied && served !== true && other.act.n !== act.n),
  );
  return (
    strange
      .flatMap(({ words }) => words)
      .find((word) => came.some((text) => text.includes(word))) ?? null
  );
}

function comment(act: ToldAct | undefined): string[] {
  if (act === undefined) return [];
  const { label, actor, region, what, came, required } = act;
  const has = required === null ? '' : `; has to be ${required.outcome} (${required.clause})`;
  return comments(`${label}. ${actor}, ${region}: ${what}. Then: ${came}${has}.`);
}

/** Comments out a text. A comment ends with its line, so line breaks in foreign text are replaced. */
function comments(text: string): string[] {
  return [`# ${printable(text).replaceAll(/[\r\n\u2028\u2029]/g, ' ')}`];
}

function quoted(text: string): string {
  return inShell([printable(text)]);
}

export function scriptOfAll(finds: readonly ToldFind[]): string {
  const [only, ...rest] = finds;
  if (only === undefined)
    return `#!/bin/sh\necho 'Nothing was found: there is nothing to repeat.'\n`;
  if (rest.length === 0) return only.script;
  const functions = finds.map(({ script }, index) => `find_${index + 1}() (\n${script})\n`);
  const numbers = finds.map((_, index) => index + 1).join(' ');
  return `#!/bin/sh
# ${finds.length} finds of touchstone explore. With a number only that one: sh FILE 2
${functions.join('\n')}
worst=0
for number in \${1:-${numbers}}; do
  echo "Find $number"
  find_$number || { code=$?; [ $worst -eq 1 ] || worst=$code; }
done
exit $worst
`;
}
