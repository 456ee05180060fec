import type { Exchange } from '../core/exchange.ts';
import type { StreamingProtocol } from '../core/protocol.ts';
import { answerId, Inconclusive, jsonBody, outcome, textAt } from '../judge/index.ts';
import {
  type ChatCompletionsClient,
  chatCompletionsClient,
  type Defaults,
  type Fields,
  type GenerativeClient,
  generativeClient,
  type MessagesClient,
  type ModelsClient,
  messagesClient,
  modelsClient,
  type ProbesClient,
  probesClient,
  protocolModules,
  type RawClient,
  type ResponsesClient,
  rawClient,
  responsesClient,
  type SystemOneClient,
  systemoneClient,
  systemoneQuestion,
} from '../protocols/index.ts';
import type { Model, Target } from '../target/target.ts';
import { type Ask, asker } from './ask.ts';
import { type Chance, chance } from './chance.ts';
import type { Lanes } from './lanes.ts';
import type { RoleAssignment } from './needs.ts';
import type { Outcome } from './outcome.ts';
import { firstPauseMs, nextPause } from './polling.ts';
import type { Scenario } from './scenario.ts';
import type { TargetRun } from './session.ts';

/** What a scenario works with: one client per protocol, the roles it asked for, seeded chance. */
export interface Io extends Chance {
  readonly target: Target;
  /** The model of the scenario's role. @throws when it asked for none */
  readonly model: Model;
  /** A further model, by the name that the scenario gave the role. */
  role(name: string): Model;
  readonly responses: ResponsesClient;
  readonly chatCompletions: ChatCompletionsClient;
  readonly messages: MessagesClient;
  readonly generative: GenerativeClient;
  readonly systemone: SystemOneClient;
  readonly lists: ModelsClient;
  readonly raw: RawClient;
  /** Windows into what the interface does not show, where the operator offers them. */
  readonly probes: ProbesClient;
  /** A generation over a protocol, in one JSON body. */
  generate(protocol: StreamingProtocol, body: Fields): Promise<Exchange>;
  /** The same as a stream. */
  generateStream(protocol: StreamingProtocol, body: Fields): Promise<Exchange>;
  /** An ordinary request to any endpoint, or one that departs from it in a single thing. */
  readonly ask: Ask;
  /** The same clients with a count of their own, for a chain that runs beside others. */
  lane(name: string): Io;
  /**
   * Repeats a call, politely (each pause half as long again, 2 s at most), until `done` or the
   * patience of the target file ends. Returns every answer, the last one last.
   */
  poll(call: () => Promise<Exchange>, done: (answer: Exchange) => boolean): Promise<Exchange[]>;
  /** The outcomes of all other scenarios of the run. Only `wholeRun` may wait for them. */
  others(): Promise<Outcome[]>;
  /** The name of a region that is not the first. */
  readonly otherRegion: string;
}

/** Makes the hands of one scenario at one target. */
export function createIo(
  run: TargetRun,
  scenario: Scenario,
  cast: RoleAssignment,
  lanes: Lanes,
): Io {
  const drawn = chance(run.seed, scenario.name);
  return inLane('main');

  function inLane(lane: string): Io {
    const caller = lanes.caller(lane);
    const defaults = (): Defaults => ({
      // An endpoint that names no model may be asked in a scenario without a role.
      model: cast.model?.id ?? '',
      maxOutputTokens: run.target.limits.maxOutputTokens,
      input: `Write one short sentence about the name ${drawn.word()}.`,
    });
    return {
      target: run.target,
      get model() {
        return asked(cast.model);
      },
      role: (name) => asked(cast.models[name], name),
      responses: responsesClient(caller, defaults),
      chatCompletions: chatCompletionsClient(caller, defaults),
      messages: messagesClient(caller, defaults),
      generative: generativeClient(caller, defaults),
      systemone: systemoneClient(caller, defaults, run.target.systemone),
      lists: modelsClient(caller),
      raw: rawClient(caller),
      probes: probesClient(caller, run.target.probes),
      generate: (protocol, body) => {
        const { request } = protocolModules[protocol];
        const ordinary = defaults();
        const whole = { ...request.generation(ordinary, run.target.systemone), ...body };
        return caller.send(request.call(whole, ordinary.model));
      },
      generateStream: (protocol, body) => {
        const { request } = protocolModules[protocol];
        const ordinary = defaults();
        const whole = { ...request.generation(ordinary, run.target.systemone), ...body };
        return caller.send(request.streamCall(whole, ordinary.model));
      },
      ask: asker(caller, () => ({
        ...defaults(),
        systemoneBody: systemoneQuestion(defaults(), run.target.systemone),
      })),
      ...drawn,
      lane: inLane,
      poll: (call, done) => poll(lane, call, done),
      others: () =>
        Promise.all([...run.outcomes].filter(([one]) => one !== scenario).map(([, got]) => got)),
      get otherRegion() {
        const other = run.target.regions[1];
        if (other === undefined) throw new Error(`${scenario.name} asked for no second region`);
        return other.name;
      },
    };
  }

  function asked(model: Model | null | undefined, name = 'model'): Model {
    if (model == null) throw new Error(`${scenario.name} asked for no role "${name}"`);
    return model;
  }

  async function poll(
    lane: string,
    call: () => Promise<Exchange>,
    done: (answer: Exchange) => boolean,
  ): Promise<Exchange[]> {
    const answers: Exchange[] = [];
    let pause = firstPauseMs;
    for (;;) {
      const answer = await call();
      answers.push(answer);
      const waited = answer.times.ended - (answers[0]?.times.started ?? 0);
      if (done(answer) || answer.failure !== null) return answers;
      if (waited + pause > run.target.limits.patienceMs) return answers;
      await run.pause(pause, scenario, lane);
      pause = nextPause(pause);
    }
  }
}

/**
 * The id of what a call has made, which later calls need: of a JSON body, of a stream or of a turn.
 *
 * @param advice what may help where there is none
 * @throws {Inconclusive} when the answer does not have it: what depends on it cannot be judged
 */
export function idOf(exchange: Exchange, advice = ''): string {
  const id = answerId(exchange) ?? textAt(jsonBody(exchange), 'id');
  if (id !== null && id !== '') return id;
  throw new Inconclusive(
    `${exchange.about.operation} gave no id, but ${outcome(exchange)}: what depends on it was not sent${advice === '' ? '' : `; ${advice}`}`,
    exchange,
  );
}
