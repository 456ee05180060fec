import { covers } from '../../kernel/core/index.ts';
import {
  type Check,
  designAt,
  type Scenario,
  scenariosAt,
  scenariosCalled,
  withPrerequisites,
} from '../../kernel/engine/index.ts';
import { type Cell, inWords, rowOf } from '../../kernel/model/index.ts';
import type { Subject } from '../subject.ts';
import { holds, type Point } from './condition.ts';
import type { GeneratedFault } from './decision.ts';
import type { Reached } from './reached.ts';

/** A part of a run in which a fault may be noticed. */
export type Look = Required<Pick<Subject, 'selected' | 'besides'>> & Pick<Subject, 'cells'>;

/** Number of acts, or checks, to judge by first. Any of them notices most faults. */
const few = 3;
const several = 10;

/**
 * Plans where to look for a fault: from the cheapest checks to all that its requests affect. The first look that
 * notices the fault is the last one. A fault that no request meets has no looks.
 */
export class Looks {
  readonly #reached: Reached;
  readonly #checks: readonly Looked[];
  readonly #cells: readonly Cell[];

  constructor(reached: Reached, checks: readonly Check[]) {
    this.#reached = reached;
    this.#cells = designAt(reached.target).cells;
    this.#checks = checks.map((check) => {
      const scenarios = scenariosAt(check, reached.target);
      const all = [...withPrerequisites(scenarios)];
      return {
        id: check.id,
        // A scenario that runs last judges all requests of the run.
        isAboutAll: check.everywhere !== undefined || all.some(({ last }) => last),
        on: new Set(scenarios.map(({ name }) => name)),
        names: new Set(all.map(({ name }) => name)),
        cost: this.#costOf(all),
      };
    });
  }

  /** Returns the looks at a fault, each more thorough than the previous one. */
  at(fault: GeneratedFault): readonly Look[] {
    const scenarios = this.#reached.scenariosAt(fault);
    if (scenarios.length === 0) return [];
    const touched = this.#checks.filter(
      ({ isAboutAll, names }) => isAboutAll || scenarios.some((name) => names.has(name)),
    );
    const own = touched.filter(({ id }) => covers(fault.breaks, id));
    // Checks that are judged on such a request come first, one of each row, because rows examine different aspects.
    const near = own.filter(
      ({ isAboutAll, on }) => isAboutAll || scenarios.some((name) => on.has(name)),
    );
    const first = firstOfEachRow(near.toSorted((one, other) => one.cost - other.cost));
    return [
      ...this.#atCells(fault),
      this.#together(first.slice(0, few), scenarios, few),
      this.#together(first.slice(0, several), scenarios, several),
      this.#together(own, scenarios),
      this.#together(touched, scenarios),
    ].filter(({ selected }) => selected?.length !== 0);
  }

  /** Returns the looks at the acts on stored responses that meet the fault. */
  #atCells({ condition, ofStored, breaks }: GeneratedFault): Look[] {
    if (!ofStored) return [];
    const met = this.#cells.flatMap((cell) => {
      const check = rowOf(cell);
      // A generated fault forgets one reason, and the other one still denies.
      if (cell.second !== null || check === null || !covers(breaks, check)) return [];
      const point = pointOfCell(cell);
      const known = condition.filter(([axis]) => axis in point);
      return holds(known, point) ? [{ cell: inWords(cell), check }] : [];
    });
    const middle = Math.floor(met.length / 2);
    return [[...met.slice(0, 1), ...met.slice(middle, middle + 1)], met.slice(0, 40)].map(
      (some) => ({
        selected: [...new Set(some.map(({ check }) => check))],
        besides: [],
        cells: some.map(({ cell }) => cell),
      }),
    );
  }

  #together(checks: readonly Looked[], scenarios: readonly string[], most = Infinity): Look {
    const needsAll = checks.some(({ isAboutAll }) => isAboutAll);
    const cheap = scenarios.toSorted((one, other) => this.#costAt(one) - this.#costAt(other));
    return {
      selected: checks.map(({ id }) => id),
      besides: needsAll ? cheap.slice(0, most) : [],
    };
  }

  #costAt(name: string): number {
    const [one] = scenariosCalled([name]);
    return one === undefined ? 0 : this.#costOf([...withPrerequisites([one])]);
  }

  #costOf(scenarios: readonly Scenario[]): number {
    return scenarios.reduce((sum, { name }) => sum + (this.#reached.requests.get(name) ?? 0), 0);
  }
}

interface Looked {
  readonly id: string;
  /** True if the check is judged on all exchanges, regardless of their scenario. */
  readonly isAboutAll: boolean;
  /** Names of the scenarios that the check is judged on. */
  readonly on: ReadonlySet<string>;
  /** Names of the scenarios that are sent for the check, with their prerequisites. */
  readonly names: ReadonlySet<string>;
  readonly cost: number;
}

/** Returns the first of the checks of each row. */
function firstOfEachRow(checks: readonly Looked[]): Looked[] {
  const rows = new Set<string>();
  return checks.filter(({ id }) => {
    const [row = ''] = id.split(':');
    return !rows.has(row) && rows.add(row);
  });
}

/** Returns the circumstances of an act on a stored response that a gateway may decide by. */
function pointOfCell(cell: Cell): Point {
  const { reason, key, through, mode, state, operation, requestMode } = cell;
  return {
    region: through,
    operation,
    mode: requestMode,
    creation: mode,
    state: reason === 'deleted' || reason === 'expired' ? reason : state,
    actor: key,
  };
}
