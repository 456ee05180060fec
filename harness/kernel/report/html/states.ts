import type { CheckState, Listed, RunResult } from '../../core/index.ts';
import { html, type Markup } from '../document/markup.ts';
import { subjectOf } from '../subject.ts';

interface StateLook {
  readonly title: string;
  /** Meaning of the state for a new reader. Null if it depends on the subject (`meaningOf`). */
  readonly meaning: string | null;
  /** Sign that distinguishes the state without colours. */
  readonly sign: string;
  /** True if its section is initially open. */
  readonly open: boolean;
}

/** States in order of their interest to readers. */
export const looks: Readonly<Record<CheckState, StateLook>> = {
  fail: { title: 'Failed', meaning: 'a MUST that does not hold', sign: '✗', open: true },
  error: { title: 'Errors', meaning: 'of Touchstone, or of a recording', sign: '⚡', open: true },
  inconclusive: {
    title: 'Inconclusive',
    meaning: 'neither passed nor failed',
    sign: '?',
    open: true,
  },
  warn: { title: 'Warnings', meaning: 'a SHOULD that does not hold', sign: '!', open: true },
  untestable: { title: 'Untestable', meaning: null, sign: '○', open: true },
  note: { title: 'Notes', meaning: 'a MAY, with what was seen', sign: 'i', open: false },
  'not-applicable': { title: 'Not applicable', meaning: null, sign: '–', open: false },
  excluded: { title: 'Excluded', meaning: 'left out of this run', sign: '⊘', open: false },
  pass: { title: 'Passed', meaning: 'holds', sign: '✓', open: false },
};

/** Titles and tags of checks on the list of known failures. */
export const listedLooks: Readonly<
  Record<Listed, { readonly title: string; readonly tag: string }>
> = {
  excused: { title: 'Known failures', tag: 'known failure' },
  covered: { title: 'Behind known failures', tag: 'behind a known failure' },
  stale: { title: 'Stale entries', tag: 'listed, but passes' },
};

/** Meaning of a state in a run. */
export function meaningOf(state: CheckState, result: Pick<RunResult, 'target'>): string {
  const { untestable, notApplicable } = subjectOf(result);
  return looks[state].meaning ?? (state === 'untestable' ? untestable : notApplicable);
}

export const shownStates = Object.keys(looks) as readonly CheckState[];

/** The sign of a state, with its accessible name. Most checks pass, and the heading above them says so. */
export function icon(state: CheckState): Markup {
  const { sign, title } = looks[state];
  if (state === 'pass') return html`<span class="sign pass" aria-hidden="true">${sign}</span>`;
  return html`<span class="sign ${state}"><span aria-hidden="true">${sign}</span><span class="hidden">${title}: </span></span>`;
}

/** Sign of a state, for those who do not see colours. */
export const stateSign = (state: CheckState): string => looks[state].sign;
