import { cutAtStop } from '../asked.ts';
import { type Block, type Output, outputWith, thinkingFirst } from '../blocks.ts';
import type { Call, Gateway, Route, Seams } from '../call.ts';
import { countPrompt, type Generation, nothingCached, type Prompt } from '../engine.ts';
import { holdFor } from '../execution.ts';
import { ablest, type FixtureModel } from '../fixture-models.ts';
import { objectOrEmpty } from '../json.ts';
import type { Defect } from '../seams.ts';
import { BoundedMatch, TooSlow } from './bounded-match.ts';
import { affected } from './effect.ts';
import { failing, hasEvents } from './late-error.ts';
import type { Effect } from './note.ts';
import { refusalWith } from './plain-faults.ts';
import {
  type After,
  canDecide,
  expressionIn,
  many,
  type OneOrMore,
  type Outcome,
  type Rule,
  type Script,
  type ScriptedCall,
  type When,
} from './script.ts';

/** Plays a script, which can be replaced at any time. */
export class Player {
  #usual: Script | null;
  #script: Script | null;
  readonly #used = new WeakMap<Rule, number>();

  constructor(script: Script | null) {
    this.#usual = script;
    this.#script = script;
  }

  /** True without a script, so that the reference gateway determines the answers. */
  get isIdle(): boolean {
    return this.#script === null;
  }

  use(script: Script | null): void {
    this.#usual = script;
    this.playInstead(script);
  }

  /** Plays this script until {@link playUsual} or another script. */
  playInstead(script: Script | null): void {
    // The counts restart even if the script is the same object.
    for (const rule of script?.rules ?? []) this.#used.delete(rule);
    this.#script = script;
  }

  playUsual(): void {
    this.playInstead(this.#usual);
  }

  get models(): readonly string[] {
    const named = this.#script?.rules.flatMap(({ when }) => many(when?.model ?? [])) ?? [];
    return [...new Set(named)];
  }

  /** Returns a model that only the script names. It has all abilities of the ablest model. */
  modelNamed(id: string, { models }: Gateway): FixtureModel | undefined {
    const isNew = this.models.includes(id) && !models.some((model) => model.id === id);
    return isNew ? { ...ablest(models), id } : undefined;
  }

  /** Returns the outcome of a request, and notes its rule; null for the reference gateway's own answer. */
  play(asked: Asked, call: Call): Outcome | null {
    if (this.#script === null) return null;
    const { rules, otherwise = null } = this.#script;
    const index = this.#fitting(rules, asked, call);
    const rule = rules[index];
    if (rule !== undefined) this.#used.set(rule, (this.#used.get(rule) ?? 0) + 1);
    const outcome = rule ?? (otherwise !== null && canBe(otherwise, call) ? otherwise : null);
    if (rule !== undefined) call.note.rule = rule.name ?? String(index + 1);
    else call.note.rule = outcome === null ? null : 'otherwise';
    call.note.effect = outcome === null ? null : effectOf(outcome);
    call.note.pace = outcome?.pace ?? null;
    call.note.headers = outcome?.headers === undefined ? null : lowerCased(outcome.headers);
    if (outcome?.error === undefined) return outcome;
    const { status, retryAfter, after, ...told } = outcome.error;
    const seconds = retryAfter === undefined ? undefined : String(retryAfter);
    const message = `The script says ${status}.`;
    const refusal = refusalWith(status, { message, ...told }, seconds);
    if (after === undefined || !hasEvents(call)) throw refusal;
    call.note.lateError = { after, refusal };
    return outcome;
  }

  /** Returns the index of the first matching rule; -1 if none matches. */
  #fitting(rules: readonly Rule[], asked: Asked, call: Call): number {
    const match = new BoundedMatch();
    try {
      return rules.findIndex(
        (rule) => this.#isLeft(rule) && canBe(rule, call) && fits(rule.when, asked, call, match),
      );
    } catch (error) {
      if (error instanceof TooSlow) throw refusalWith(500, { message: error.message });
      throw error;
    }
  }

  #isLeft(rule: Rule): boolean {
    return rule.times === undefined || (this.#used.get(rule) ?? 0) < rule.times;
  }
}

export type Asked = Pick<Prompt, 'model' | 'turns' | 'tools'>;

/** Returns the gateway with the answers of a script, as a defect. */
export function scripted(player: Player): Defect {
  return {
    id: 'script',
    what: 'A script has its answers.',
    override: ({ policy, transport, endpoints, encode, frames }: Seams) => ({
      policy: {
        findModel: (id, call) => policy.findModel(id, call) ?? player.modelNamed(id, call.gateway),
        listedModels: (key, call) => [
          ...policy.listedModels(key, call),
          ...player.models.flatMap((id) => player.modelNamed(id, call.gateway) ?? []),
        ],
        generate(prompt, call) {
          // Neither a compaction nor a warm-up is an answer that a script may set.
          if (call.operation === 'responses.compact' || call.body.generate === false) {
            return policy.generate(prompt, call);
          }
          const outcome = player.play(prompt, call);
          if (outcome === null) return policy.generate(prompt, call);
          const { limit } = prompt;
          const own = generationOf(outcome, prompt) ?? policy.generate(prompt, call);
          const generation = endingAs(outcome.ends, own);
          if (outcome.reasoning === undefined) return generation;
          return thinkingFirst(generation, tokensOf(outcome.reasoning), limit);
        },
      },
      endpoints: {
        routes: (dialect) =>
          dialect.name === 'systemone'
            ? endpoints.routes(dialect).map((route) => decided(route, player))
            : endpoints.routes(dialect),
      },
      transport: affected(transport, ({ call }) => call.note.effect),
      frames: failing(frames, ({ note }) => note.lateError),
      encode: {
        headers: (kind, headers, context) => ({
          ...encode.headers(kind, headers, context),
          ...context.call.note.headers,
        }),
      },
    }),
  };
}

/** Returns the System One route with scripted answers, which are a value rather than text. */
function decided(route: Route, player: Player): Route {
  return {
    ...route,
    async handle(call, key) {
      const native = await route.handle(call, key);
      const { model, state } = call.body;
      const text = typeof state === 'string' ? state : JSON.stringify(state ?? null);
      const turns = [{ role: 'user', text }] as const;
      const outcome = player.play({ model: String(model), turns, tools: [] }, call);
      if (outcome?.pace !== undefined) {
        holdFor(call, Object.keys(objectOrEmpty(call.body.questions)).length);
      }
      if (outcome?.value === undefined || 'events' in native) return native;
      return { ...native, body: { ...native.body, answers: objectOrEmpty(outcome.value) } };
    },
  };
}

function canBe(outcome: Outcome, { dialect }: Call): boolean {
  return dialect.name !== 'systemone' || canDecide(outcome);
}

function fits(
  when: When = {},
  { model, turns, tools }: Asked,
  call: Call,
  match: BoundedMatch,
): boolean {
  const of = (role: string): string[] =>
    turns.filter((turn) => turn.role === role).map(({ text }) => text);
  const { protocol, says, system, turn, toolResult, tool, stream, key, user } = when;
  const last = turns.at(-1);
  const tells = (words: OneOrMore<string | RegExp>, text: string): boolean =>
    many(words).some((one) => occurs(one, text, match));
  return (
    isAmong(call.dialect.name, protocol) &&
    isAmong(model, when.model) &&
    isAmong(call.key?.role, key) &&
    isAmong(call.key?.user, user) &&
    (says === undefined || tells(says, of('user').at(-1) ?? '')) &&
    (system === undefined || tells(system, of('system').join('\n'))) &&
    (turn === undefined || turn === of('user').length) &&
    (tool === undefined || tools.some(({ name }) => name === tool)) &&
    (stream === undefined || stream === call.gateway.seams.policy.wantsStream(call.body, call)) &&
    (toolResult === undefined ||
      (typeof toolResult === 'boolean'
        ? toolResult === (last?.role === 'tool')
        : last?.role === 'tool' && tells(toolResult, last.text)))
  );
}

function isAmong(value: string | undefined, wanted: OneOrMore<string> | undefined): boolean {
  return wanted === undefined || many(wanted).some((one) => one === value);
}

function occurs(words: string | RegExp, text: string, match: BoundedMatch): boolean {
  const pattern = typeof words === 'string' ? expressionIn(words) : words;
  if (pattern !== null) return match.finds(pattern, text);
  return text.toLowerCase().includes(String(words).toLowerCase());
}

function effectOf({ cut, stall, reset }: Outcome): Effect | null {
  if (reset === true) return { end: 'reset' };
  if (cut !== undefined) return { end: 'cut', after: afterOf(cut) };
  return stall === undefined ? null : { end: 'stall', after: afterOf(stall) };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function afterOf(after: After): NonNullable<Effect['after']> {
  return typeof after === 'number' ? { events: after } : after;
}

/** Returns the generation of an outcome; null if the outcome does not set the answer. */
function generationOf(outcome: Outcome, prompt: Prompt): Generation | null {
  const output = outputOf(outcome, prompt);
  if (output === null) return null;
  return {
    ...output,
    others: Array.from({ length: prompt.asked.candidates - 1 }, () => output),
    inputTokens: countPrompt(prompt),
    thoughts: 0,
    cached: nothingCached,
  };
}

/** Returns a generation with another ending. An output that has reached the limit keeps its ending. */
function endingAs(ends: Outcome['ends'], generation: Generation): Generation {
  if (ends === undefined) return generation;
  const ended = <T extends Output>(output: T): T =>
    output.finish === 'stop' ? { ...output, finish: ends } : output;
  return { ...ended(generation), others: generation.others.map(ended) };
}

/** Returns an output with text, calls, or both. The stop sequences and the limit of the request apply as usual. */
function outputOf(outcome: Outcome, { asked, limit }: Prompt): Output | null {
  const { text, pieces, call, value } = outcome;
  const { calls = call === undefined ? [] : [call] } = outcome;
  const said = text ?? (value === undefined ? undefined : JSON.stringify(value));
  const whole = pieces ?? (said === undefined ? undefined : tokensOf(said));
  if (whole === undefined && calls.length === 0) return null;
  const written = cutAtStop(whole ?? [], asked.stop);
  const blocks: readonly Block[] = [
    { kind: 'text', pieces: written.pieces },
    // Calls after a stop sequence are never made.
    ...(written.stopped === null ? calls.map(blockOf) : []),
  ];
  return outputWith(blocks, written.stopped, limit);
}

function blockOf({ name, arguments: given = {} }: ScriptedCall): Block {
  return { kind: 'call', name, pieces: tokensOf(JSON.stringify(given)) };
}

/** Splits a text into words and punctuation marks, each with the preceding spaces. */
function tokensOf(text: string): readonly string[] {
  return text.match(/\s*(?:[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}])|\s+$/gu) ?? [];
}
