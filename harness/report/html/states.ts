import type { Listed } from '../../core/known-failures.ts';
import type { CheckState } from '../../core/verdict.ts';
import { html, type Markup } from './markup.ts';

interface StateLook {
  readonly title: string;
  /** What it means, for a reader who does not know. */
  readonly meaning: string;
  /** Distinguished without colours. */
  readonly sign: string;
  /** Whether the section is open when the report is. */
  readonly open: boolean;
}

/** States in the order of how much a reader wants to see of them. */
export const looks: Readonly<Record<CheckState, StateLook>> = {
  fail: { title: 'Failed', meaning: 'a MUST that does not hold', sign: '✗', open: true },
  error: { title: 'Errors', meaning: 'internal errors of Touchstone', sign: '⚡', open: true },
  inconclusive: {
    title: 'Inconclusive',
    meaning: 'neither passed nor failed',
    sign: '?',
    open: true,
  },
  warn: { title: 'Warnings', meaning: 'a SHOULD that does not hold', sign: '!', open: true },
  untestable: {
    title: 'Untestable',
    meaning: 'the target file lacks something',
    sign: '○',
    open: true,
  },
  note: { title: 'Notes', meaning: 'a MAY, with what was seen', sign: 'i', open: false },
  'not-applicable': {
    title: 'Not applicable',
    meaning: 'the gateway does not offer it, or has nothing to test it on',
    sign: '–',
    open: false,
  },
  excluded: { title: 'Excluded', meaning: 'left out of this run', sign: '⊘', open: false },
  pass: { title: 'Passed', meaning: 'holds', sign: '✓', open: false },
};

/** How a check looks that the list of known failures names. */
export const listedLooks: Readonly<
  Record<Listed, { readonly title: string; readonly tag: string }>
> = {
  excused: { title: 'Known failures', tag: 'known failure' },
  stale: { title: 'Stale entries', tag: 'listed, but passes' },
};

export const shownStates = Object.keys(looks) as readonly CheckState[];

/** The sign of a state, and its name for those who hear it. */
export function icon(state: CheckState): Markup {
  const { sign, title } = looks[state];
  return html`<span class="sign ${state}"><span aria-hidden="true">${sign}</span><span class="hidden">${title}: </span></span>`;
}
