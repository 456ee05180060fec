import {
  type Citation,
  formatId,
  loadCatalogue,
  suiteVersion,
} from '../../../kernel/core/index.ts';
import { outcome } from '../../../kernel/judge/index.ts';
import type { Target } from '../../../kernel/targets/index.ts';
import type { Act, Explored, Find, History, Sent, World } from '../index.ts';
import { isMeasured, neededBy, requiredOf, worldOf } from '../index.ts';
import type { Exploration, ExplorationVerdict, ToldAct, ToldFind } from '../report/exploration.ts';
import { scriptOf } from './script.ts';

export interface Exploring extends Pick<Exploration, 'startedAt' | 'durationMs' | 'incomplete'> {
  readonly target: Target;
}

export function told(explored: Explored, { target, ...how }: Exploring): Exploration {
  const { finds, unknown, givenUp: _, ...effort } = explored;
  const world = worldOf(target);
  const toldFinds = finds.map((find) => toldFind(find, world, effort.seed));
  return {
    suiteVersion,
    specification: loadCatalogue().specification,
    target: { name: target.name, regions: target.regions.map(({ name }) => name) },
    ...how,
    ...effort,
    ...{ verdict: verdictOf(explored, how.incomplete), undecided: unknown },
    finds: toldFinds,
    sources: sourcesOf(toldFinds),
  };
}

function sourcesOf(finds: readonly ToldFind[]): readonly Citation[] {
  const named = new Set(
    finds.flatMap(({ source, acts }) => [
      source.id,
      ...acts.flatMap(({ required }) => (required === null ? [] : [required.clause])),
    ]),
  );
  return loadCatalogue().citations.filter(({ id }) => named.has(id));
}

function verdictOf({ finds, decided }: Explored, incomplete: string | null): ExplorationVerdict {
  if (finds.some(({ violation }) => violation.level === 'MUST')) return 'broken';
  // A history with an undecided act does not show that a requirement is met.
  return incomplete === null && decided > 0 ? 'nothing-found' : 'undecided';
}

function toldFind(find: Find, world: World, seed: number): ToldFind {
  const { violation, history, times, again, foundIn, foundActs } = find;
  const { kind, level, expected, actual } = violation;
  const row = loadCatalogue().checks.find(({ id }) => id === violation.row);
  const acts = toldActs(find, world);
  const source = sourceOf(violation.clause);
  return {
    ...{ kind, level, expected, actual, times, again, foundIn, foundActs, acts, source },
    // A find below MUST is not shortened.
    cut: level === 'MUST' && !isMeasured(again),
    row: row === undefined ? null : { id: row.id, text: row.requirement.text },
    script: scriptOf({
      ...{ kind, source, expected, actual, again, acts, history },
      ...{ sent: find.sent, seed },
    }),
  };
}

function sourceOf(id: string): Citation {
  const known = loadCatalogue().citations.find((one) => one.id === id);
  const link = `fixtures/specification.md#${id.toLowerCase()}`;
  return known ?? { id, kind: 'clause', text: '', link };
}

function toldActs({ history, sent, violation }: Find, world: World): ToldAct[] {
  const labels = labelsOf(history);
  const first = Math.min(...[...sent.values()].map(({ started }) => started));
  return history.steps.flatMap((step, index) =>
    step.map((act): ToldAct => {
      const came = sent.get(act.n);
      const required = came === undefined ? null : requiredOf(act, came, sent, world);
      return {
        ...{ label: labels.get(act.n) ?? '', step: index + 1 },
        ...{ actor: act.actor, region: act.region, what: actInWords(act, labels) + waited(act) },
        came: came === undefined ? 'not sent' : shortly(came),
        required: required === null ? null : { outcome: required.outcome, clause: required.clause },
        shows: act.n === violation.n,
        exchange: came === undefined ? null : formatId(came.exchange.id),
        began: came === undefined ? 0 : came.started - first,
        ended: came === undefined ? 0 : came.ended - first,
      };
    }),
  );
}

/** Returns the labels of the acts: `1`, `2a`, `2b`. */
function labelsOf({ steps }: History): ReadonlyMap<number, string> {
  return new Map(
    steps.flatMap((step, index) =>
      step.map(({ n }, place) => {
        const letter = step.length > 1 ? String.fromCharCode(97 + place) : '';
        return [n, `${index + 1}${letter}`];
      }),
    ),
  );
}

function actInWords(act: Act, labels: ReadonlyMap<number, string>): string {
  if (act.kind === 'list') return 'list models';
  if (act.kind === 'ledger') return 'ask the ledger for all that was sent';
  if (act.kind === 'ask') {
    const under = act.model === null ? '' : ` with ${act.model}`;
    const page = typeof act.page === 'number' ? ` after ${labels.get(act.page)}` : '';
    return `${act.endpoint}${under}${act.stream ? ', stream' : ''}${act.page === undefined ? '' : `, a page${page}`}`;
  }
  const needed = neededBy(act);
  const of = needed === null ? '' : labels.get(needed);
  if (act.kind === 'act') {
    const page = act.after === undefined ? '' : ` after ${labels.get(act.after)}`;
    return `${act.operation} of ${of}, by ${act.requestMode}${page}`;
  }
  const kept = act.store ? 'stored' : 'not stored';
  const socket = act.socket === undefined ? '' : ` ${act.socket}`;
  const more = `${act.items ? ', a list' : ''}${act.live ? ', not awaited' : ''}${act.loses ? ', then lost' : ''}`;
  const goesOn = needed === null ? 'create' : `continue ${of}`;
  return `${goesOn} with ${act.model}, ${act.mode}${socket}${more}, ${kept}`;
}

function waited({ afterMs = 0, fresh }: Act): string {
  return `${fresh === true ? ', on a new connection' : ''}${afterMs === 0 ? '' : `, ${afterMs} ms later`}`;
}

/** Maximum length of a gateway's own words in a table cell. */
const longest = 60;

function shortly({ exchange, served }: Sent): string {
  // The status of the handshake says nothing about the turns of the connection.
  const status = exchange.socket === null ? exchange.response?.status : undefined;
  if (served === true) return status === undefined ? 'served' : `served, ${status}`;
  if (served === false && status !== undefined) return `refused, ${status}`;
  if (served === false && exchange.socket !== null) return 'refused';
  const came = outcome(exchange);
  return `${served === null ? 'undecided: ' : ''}${came}`.slice(0, longest);
}
