import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  determineHitLimitReached,
  MutantRunStatus,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { createVitest } from 'vitest/node';

/**
 * Stryker's test runner for the suites: a mutant is killed by the proof. The trials are in
 * `trials.ts`; they run in one worker of Vitest that stays open (`proof.check.ts`).
 */
class ProofRunner {
  #worker = null;
  #ended = null;
  #channel = null;
  /** The mutant with which the suites were loaded; null: none. */
  #active = null;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun({ files }) {
    await this.#open(null);
    const answer = await this.#ask({ kind: 'dry', files: files?.map(inPackage) ?? null });
    if (answer.kind === 'broken') {
      return { status: DryRunStatus.Error, errorMessage: answer.reason };
    }
    return {
      status: DryRunStatus.Complete,
      tests: answer.tried.map(({ id, noticed, ms }) => ({
        id,
        name: id,
        timeSpentMs: ms,
        ...(noticed === null
          ? { status: TestStatus.Success }
          : { status: TestStatus.Failed, failureMessage: noticed }),
      })),
      mutantCoverage: answer.coverage,
    };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, sandboxFileName }) {
    const loaded = mutantActivation === 'static' ? activeMutant.id : null;
    const answer = await this.#open(loaded).then(
      () =>
        this.#ask({
          kind: 'mutant',
          mutant: activeMutant.id,
          trials: testFilter ?? null,
          file: inPackage(sandboxFileName),
          hitLimit: hitLimit ?? null,
        }),
      // Suites that cannot be loaded are noticed by whoever starts them.
      (error) => ({ kind: 'asked', tried: 1, by: { id: 'loading', objection: String(error) } }),
    );
    if (answer.kind === 'broken') {
      return { status: MutantRunStatus.Error, errorMessage: answer.reason };
    }
    const tooMany = determineHitLimitReached(answer.hitCount, hitLimit);
    if (tooMany !== undefined) return { status: MutantRunStatus.Timeout, reason: tooMany.reason };
    if (answer.by === null) return { status: MutantRunStatus.Survived, nrOfTests: answer.tried };
    return {
      status: MutantRunStatus.Killed,
      killedBy: [answer.by.id],
      failureMessage: answer.by.objection,
      nrOfTests: answer.tried,
    };
  }

  async dispose() {
    await this.#close();
  }

  /** Loads the suites, with a mutant in them or none, unless they are loaded so already. */
  async #open(active) {
    if (this.#worker !== null && active === null && this.#active === null) return;
    await this.#close();
    const root = process.cwd();
    mkdirSync(join(root, 'reports'), { recursive: true });
    const name = randomUUID();
    this.#channel = new BroadcastChannel(name);
    const ready = this.#answer();
    this.#worker = await createVitest(
      'test',
      {
        config: false,
        root,
        include: ['harness/lab/mutation/proof.check.ts'],
        watch: false,
        reporters: [{}],
        pool: 'threads',
        isolate: false,
        maxWorkers: 1,
        fileParallelism: false,
        testTimeout: 0,
        hookTimeout: 0,
        teardownTimeout: 2_000,
        provide: {
          touchstoneMutation: { channel: name, active },
        },
      },
      { logLevel: 'error', clearScreen: false },
    );
    this.#active = active;
    this.#ended = this.#worker.start();
    const ended = this.#ended.then(() => {
      const errors = [
        ...this.#worker.state.getUnhandledErrors(),
        ...this.#worker.state.getTestModules().flatMap((module) => module.errors()),
      ];
      throw new Error(`The suites could not be loaded: ${errors.map((e) => e.stack ?? e.message)}`);
    });
    ended.catch(() => {});
    await Promise.race([ready, ended]);
  }

  async #close() {
    if (this.#worker === null) return;
    this.#channel.postMessage({ kind: 'end' });
    this.#channel.close();
    await this.#worker.close();
    this.#worker = null;
  }

  #ask(question) {
    const answer = this.#answer();
    this.#channel.postMessage(question);
    return answer;
  }

  #answer() {
    return new Promise((resolve) => {
      this.#channel.onmessage = ({ data }) => resolve(data);
    });
  }
}

/** Path of a file of the sandbox, with `/` between its parts. */
function inPackage(file) {
  return relative(process.cwd(), file).replaceAll('\\', '/');
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'proof', ProofRunner)];
