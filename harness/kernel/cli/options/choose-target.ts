import { loadTarget } from '../../targets/index.ts';
import { type Terminal, UsageError } from '../../terminal/index.ts';
import { type ChosenTarget, provided, type Unseen } from '../feature.ts';
import type { GivenOf, optionGroups } from './run-table.ts';

/** Options that describe the target. */
export interface TargetOptions
  extends Partial<
    GivenOf<
      | (typeof optionGroups.inlineTarget | typeof optionGroups.rate)[number]
      | 'reference'
      | 'thorough'
    >
  > {
  readonly target?: string | undefined;
}

/**
 * Finds the target that a command line names, or starts a reference gateway. Probes a gateway without a target file
 * first.
 *
 * @param unseen treatment of features that no free request shows
 * @throws {UsageError | TargetError} if the options are contradictory, or describe no target
 */
export async function chooseTarget(
  options: TargetOptions,
  terminal: Terminal,
  signal: AbortSignal,
  unseen: Unseen = 'open',
): Promise<ChosenTarget> {
  assertOneSource(options);
  const { target, close } = await described(options, terminal, signal, unseen);
  const { concurrency, rps, timeout, thorough = target.thorough } = options;
  const limits = {
    ...target.limits,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(rps === undefined ? {} : { requestsPerSecond: rps }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  };
  return { target: { ...target, limits, thorough }, close };
}

/** True if the target is another party's gateway, which may be down. */
export function isForeign({ target, baseUrl }: TargetOptions): boolean {
  return target !== undefined || baseUrl !== undefined;
}

async function described(
  options: TargetOptions,
  terminal: Terminal,
  signal: AbortSignal,
  unseen: Unseen,
): Promise<ChosenTarget> {
  const close = (): Promise<void> => Promise.resolve();
  if (options.target !== undefined) {
    return { target: loadTarget(options.target, terminal.environment), close };
  }
  if (options.baseUrl !== undefined) {
    const { baseUrl, model: models = [], protocol: protocols, header: headers = {} } = options;
    const inline = {
      ...{ baseUrl, models, headers, restrictions: options.restriction },
      ...(protocols === undefined ? {} : { protocols }),
    };
    const lookFirst = provided('lookFirst', 'A run without a target file');
    return {
      target: await lookFirst(inline, { unseen, timeoutMs: options.timeout }, terminal, signal),
      close,
    };
  }
  if (options.reference === 'container') {
    return provided('startInContainers', '--reference container')(signal);
  }
  const { referenceTarget } = await import('../../targets/reference.ts');
  return referenceTarget();
}

const standsUnder = {
  '--restriction': '`singleRegion` and its like',
  '--model': '`models`',
  '--protocol': '`protocols` of each model',
  '--header': '`headers`',
} as const;

function assertOneSource({
  target,
  baseUrl,
  model,
  protocol,
  header,
  restriction,
  reference,
}: TargetOptions): void {
  const given = [
    target === undefined ? null : '--target',
    baseUrl === undefined ? null : '--base-url',
    reference === undefined ? null : '--reference',
  ].filter((option) => option !== null);
  if (given.length > 1) {
    throw new UsageError(`${given.join(' and ')} name two targets: give one of them.`);
  }
  if (baseUrl !== undefined) return;
  for (const [option, value] of [
    ['--model', model],
    ['--protocol', protocol],
    ['--header', header],
    ['--restriction', restriction],
  ] as const) {
    if (value === undefined) continue;
    throw new UsageError(
      target === undefined
        ? `${option} goes with --base-url URL, the address of the gateway.`
        : `${option} goes with --base-url. With a target file, that stands in the file: ${standsUnder[option]}.`,
    );
  }
}
