import {
  type CheckResult,
  type CheckVerdict,
  countsOf,
  type Exchange,
  type RunResult,
  runVerdict,
  type Shadow,
  type StreamingProtocol,
  streamingProtocols,
  streamOver,
} from '../../kernel/core/index.ts';
import { chance, evidenceOf, identityOf, Observation } from '../../kernel/engine/index.ts';
import { buildRequest, protocolModules, secretsOf } from '../../kernel/protocols/index.ts';
import { findModel, type Model, routesOf, type Target } from '../../kernel/targets/index.ts';
import { send, startClock } from '../../kernel/wire/index.ts';
import { officialClient, officialPackage } from './official-clients.ts';
import { startProxy } from './proxy.ts';

/** Kind of generation that an official client requests. */
interface Task {
  readonly protocol: StreamingProtocol;
  readonly stream: boolean;
  readonly model: Model;
}

/**
 * Number of generations that official clients request during a run with so many: a tenth, but each kind
 * once.
 */
export function shadowGenerations(target: Target, generations: number): number {
  const kinds = kindsAt(target).length;
  return kinds === 0 ? 0 : Math.max(kinds, Math.ceil(generations / 10));
}

/** Kinds of generation: one body over each protocol, and a stream if its model streams. */
function kindsAt(target: Target): readonly Task[] {
  const region = target.regions[0];
  return streamingProtocols.flatMap((protocol) =>
    [false, true].flatMap((stream): Task[] => {
      const supports = stream ? [streamOver(protocol)] : [];
      const found = findModel(target, { speaks: protocol, supports });
      const place = region?.protocols?.[protocol] ?? target.protocols[protocol];
      // A protocol served at an address of its own is not behind the proxy.
      const isElsewhere = /^https?:/i.test(place?.baseUrl ?? '');
      return found.kind === 'found' && !isElsewhere
        ? [{ protocol, stream, model: found.model }]
        : [];
    }),
  );
}

export interface ShadowOptions {
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Folder in which the clients are installed. */
  readonly folder?: string;
}

/**
 * Judges by the checks of a run what official clients get for a tenth of its generations, which they ask for
 * through a proxy of ours: a gateway may be sound only for what looks like a test. What holds for the run and not
 * for them fails.
 */
export async function shadowed(result: RunResult, options: ShadowOptions): Promise<RunResult> {
  const { target, signal, folder = process.cwd() } = options;
  const drawn = chance(result.seed, 'shadow');
  const known = new Set(result.checks.map(({ id }) => id));
  const observation = await Observation.of({ target, source: 'proxy', strict: result.strict });
  const seen: Exchange[] = [];
  const proxy = await startProxy({
    target,
    host: '127.0.0.1',
    port: 0,
    seen: (exchange) => {
      if (exchange === null) return;
      seen.push(exchange);
      observation.add(exchange);
    },
    say: () => undefined,
  });
  const used = new Set<string>();
  const refused = new Map<string, Broken>();
  const clock = startClock();
  try {
    const [first] = target.regions;
    const url = proxy.addresses[0]?.url;
    if (first === undefined || url === undefined) return result;
    const kinds = drawn.random(({ helpers }) => helpers.shuffle([...kindsAt(target)]));
    const count = shadowGenerations(target, result.traffic.generations);
    for (let n = 0; n < count && !signal.aborted; n++) {
      const task = kinds[n % kinds.length];
      if (task === undefined) break;
      const { protocol, stream, model } = task;
      const ask = await officialClient(protocol, target, { ...first, baseUrl: url }, folder);
      if (ask === null) continue;
      used.add(officialPackage(protocol));
      const body = protocolModules[protocol].request.generation(
        {
          model: model.id,
          maxOutputTokens: target.limits.maxOutputTokens,
          input: drawn.sentence(drawn.word()),
        },
        target.systemone,
      );
      const named = protocol === 'generative' ? { ...body, model: model.id } : body;
      const before = seen.length;
      // Errors of the client are ignored, because the observed exchange is judged.
      await ask(named, stream).catch(() => undefined);
      const answer = seen[before];
      if (answer === undefined || !isRefused(answer) || refused.has(idOf(task))) continue;
      // A refusal counts where the same is served to us at the same time: the gateway may refuse everybody by now.
      const { request } = protocolModules[protocol];
      const call = (stream ? request.streamCall : request.call)(body, model.id);
      const control = await send(
        buildRequest(call, {}, target, identityOf(result, `shadow/control#main/${n}`)),
        {
          clock,
          timeoutMs: target.limits.timeoutMs,
          secrets: secretsOf(target),
          routes: routesOf(target),
        },
      );
      if (isServed(control)) refused.set(idOf(task), refusal(answer));
    }
  } finally {
    await proxy.close();
  }
  const observed = await observation.end();
  const found = new Map([
    ...refused,
    ...observed.checks.flatMap(({ id, verdict }) =>
      isBroken(verdict) ? [[id, verdict] as const] : [],
    ),
  ]);
  const checks = result.checks.map((check) => withFound(check, found.get(check.id)));
  const differing = checks.flatMap((check, n) => (check === result.checks[n] ? [] : [check.id]));
  const shadow: Shadow = {
    clients: [...used].sort(),
    requests: seen.length,
    generations: observed.traffic.generations,
    judged: observed.checks.filter(({ id, verdict }) => known.has(id) && isJudged(verdict)).length,
    differing,
  };
  return {
    ...result,
    checks,
    counts: countsOf(checks),
    verdict: runVerdict(checks, { strict: result.strict }),
    traffic: { ...result.traffic, shadow },
  };
}

type Broken = Extract<CheckVerdict, { readonly state: 'fail' | 'warn' }>;

function isBroken(verdict: CheckVerdict): verdict is Broken {
  return verdict.state === 'fail' || verdict.state === 'warn';
}

function isJudged(verdict: CheckVerdict): boolean {
  return verdict.state === 'pass' || isBroken(verdict);
}

/** The check that says that such a generation is served. */
function idOf({ protocol, stream }: Task): string {
  return stream
    ? `access/capabilities.offered-served:stream-${protocol}`
    : `access/protocols.declared-served:${protocol}`;
}

function isRefused({ response }: Exchange): boolean {
  const status = response?.status ?? 0;
  return status >= 400 && status < 500 && status !== 429;
}

function isServed({ response, failure }: Exchange): boolean {
  return response !== null && response.status < 300 && failure === null;
}

function refusal(answer: Exchange): Broken {
  return {
    state: 'fail',
    expected: 'served, as the same request of the run is',
    actual: `refused with ${answer.response?.status}`,
    evidence: evidenceOf(answer),
  };
}

/** Replaces the result of a check that passed in the run, and failed for official clients. */
function withFound(check: CheckResult, found: Broken | undefined): CheckResult {
  if (found === undefined || check.verdict.state !== 'pass') return check;
  const actual = `to an official client, and not to the run: ${found.actual}`;
  return { ...check, verdict: { ...found, actual } };
}
