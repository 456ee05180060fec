import { crossed } from './crossed.ts';
import { readingDefects } from './reading-defects.ts';
import { requestDefects } from './request-defects.ts';
import { retryDefects } from './retry-defects.ts';
import { taskDefects } from './task-defects.ts';
import type { ClientDefect, ClientVariation } from './variation.ts';

const ownDefects = [...retryDefects, ...requestDefects, ...readingDefects, ...taskDefects];

/** Defects that checks must find. */
export const clientDefects: readonly ClientDefect[] = [...ownDefects, ...crossed(ownDefects)];

/** Programs that are not clients. None of them may pass a MUST. */
export const nullClients: readonly ClientVariation[] = [
  { id: 'does-nothing', what: 'It ends at once.' },
  { id: 'prints-garbage', what: 'It prints something, and sends nothing.' },
  { id: 'prints-the-prompt', what: 'It prints its prompt, and sends nothing.' },
  { id: 'sends-one-get', what: 'It asks for the list of models.' },
];
