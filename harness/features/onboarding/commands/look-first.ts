import { type LookingFirst, usualFile } from '../../../kernel/cli/index.ts';
import {
  type Capability,
  declaredAs,
  each,
  type Protocol,
  protocolOfCapability,
  protocols,
} from '../../../kernel/core/index.ts';
import { asker, askForLists, socketAsker } from '../../../kernel/probing/index.ts';
import { counted } from '../../../kernel/report/index.ts';
import {
  capabilityInFile,
  type InlineModel,
  type InlineOptions,
  inlineTarget,
  readProtocol,
  type Target,
} from '../../../kernel/targets/index.ts';
import { type Terminal, UsageError } from '../../../kernel/terminal/index.ts';
import {
  costOfTrying,
  type Discovered,
  declarable,
  look,
  openOf,
  presenceSteps,
  type Seen,
  startTarget,
  tellingCapabilities,
  tryCapabilities,
  unusualKeys,
} from '../index.ts';

/**
 * Describes a gateway without a target file: inspects it free of charge, like `init`, and declares the observations.
 *
 * @throws {TargetError | UsageError | Unreachable}
 */
export async function lookFirst(
  options: InlineOptions,
  { unseen, timeoutMs }: LookingFirst,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Target> {
  const { environment } = terminal;
  // Errors of the command line are reported before anything is sent.
  const { names } = inlineTarget(options, environment);
  const given = options.protocols?.flatMap((name) => readProtocol(name, names) ?? []);
  const plain = startTarget(
    { baseUrl: options.baseUrl, header: options.headers ?? {} },
    usualFile,
    environment,
  );
  const start = {
    ...plain,
    limits: { ...plain.limits, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  };
  await askForLists(start, signal);
  const chosen = { model: options.models, models: options.models.length, yes: true };
  const seen = await look(start, chosen, terminal, signal);
  const asGiven = seen.models.map((model) =>
    given === undefined ? model : ofProtocols(model, given),
  );
  const models = unseen === 'tried' ? await tried(asGiven, seen.target, terminal, signal) : asGiven;
  if (signal.aborted) return inlineTarget(options, environment);
  const { credentials } = seen.target;
  return inlineTarget(
    {
      ...options,
      seen: {
        names: seen.target.names,
        credentials,
        models: models.map((model) => declared(model, given, unseen === 'presumed', seen)),
      },
    },
    environment,
  );
}

/** Keeps only the protocols that the command line names. Those that were not seen to be served are left open. */
function ofProtocols(model: Discovered, given: readonly Protocol[]): Discovered {
  const speaks = each(protocols, (one) =>
    given.includes(one) ? model.speaks[one] || null : false,
  );
  return { ...model, speaks };
}

/** Tries short generations, and announces them first: a text over each protocol, a stream, a function call. */
async function tried(
  models: readonly Discovered[],
  target: Target,
  { stderr }: Terminal,
  signal: AbortSignal,
): Promise<readonly Discovered[]> {
  const { generations } = costOfTrying(models, presenceSteps);
  if (generations === 0) return models;
  stderr.write(
    `There is no target file: ${counted(generations, 'short generation')} at most show what the gateway serves.\n`,
  );
  const asking = { ask: asker(target, signal), askOverSocket: socketAsker(target, signal) };
  return (await tryCapabilities(models, generations, asking, () => {}, presenceSteps)).models;
}

/** A model in the form of a target file. @throws {UsageError} when nothing is known about it */
function declared(
  model: Discovered,
  given: readonly Protocol[] | undefined,
  isPresumed: boolean,
  seen: Seen,
): InlineModel {
  const { id, speaks, notes } = model;
  const spoken = given ?? (isPresumed ? declarable(model) : protocols.filter((one) => speaks[one]));
  if (spoken.length === 0) {
    const said = notes.length === 0 ? '' : ` It said: ${notes.join('; ')}.`;
    throw new UsageError(
      `No protocol was seen that the gateway serves ${id} over.${said} Name one with --protocol, or describe the ` +
        'gateway in a target file: touchstone init.',
    );
  }
  const isOver = (capability: Capability): boolean => {
    const protocol = protocolOfCapability[capability];
    return protocol === null || spoken.includes(protocol);
  };
  const presumed = isPresumed
    ? openOf(model).filter((one) => isOver(one) && tellingCapabilities.includes(one))
    : [];
  const permitted = unusualKeys(id, seen);
  return {
    id,
    protocols: spoken.map((one) => declaredAs[one]),
    supports: [...model.supports.filter(isOver), ...presumed].map(capabilityInFile),
    lacks: model.lacks.filter(isOver).map(capabilityInFile),
    ...(permitted === null ? {} : { permitted }),
  };
}
