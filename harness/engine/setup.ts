import { getTests } from '@vitest/runner/utils';
import { afterAll, beforeAll, inject } from 'vitest';
import { adoptCatalogue } from '../core/catalogue.ts';
import { judgedOn, scenarios } from './check.ts';
import { currentSession } from './current-session.ts';
import { scenariosToRun } from './outcome.ts';
import { startScenarios } from './sequence.ts';

const catalogue = inject('touchstoneCatalogue');
if (catalogue !== undefined) adoptCatalogue(catalogue);

/**
 * Set-up file of every run: starts the scenarios of all selected checks together, before the first
 * check is judged. Vitest runs files and tests in order, and a memo that only filled when asked would
 * make every chain of requests wait for the one before it.
 *
 * A hook, and not the module's top level: Vitest evaluates set-up files when it only collects, too,
 * and planning or listing must send nothing. By now Vitest has applied its own filters to the modes.
 */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the parameter's text, and takes a pattern only
beforeAll(async ({}, suite) => {
  const session = currentSession();
  const chosen = getTests(suite).filter(({ mode }) => mode === 'run');
  session.expecting(chosen.flatMap(({ meta }) => meta.touchstone?.id ?? []));
  session.prioritise(scenarios.values());
  const started = [...session.runs.entries()].map(([target, run]) => {
    const bound = chosen.flatMap(({ meta: { touchstone } }) => {
      const on = touchstone?.target === target ? judgedOn.get(touchstone.id) : undefined;
      return on === undefined ? [] : scenariosToRun(on, run.target);
    });
    return startScenarios(run, bound);
  });
  await Promise.all(started);
});

// biome-ignore lint/correctness/noEmptyPattern: as above
afterAll(async ({}, suite) => {
  const session = currentSession();
  suite.file.meta.touchstoneTraffic = session.traffic.report();
  suite.file.meta.touchstoneUnasked = session.unasked();
  await session.flush();
});
