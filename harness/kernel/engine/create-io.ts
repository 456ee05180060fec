import type { Exchange } from '../core/index.ts';
import { type Chance, chance } from '../drawn/index.ts';
import {
  chatCompletionsClient,
  type Defaults,
  generativeClient,
  messagesClient,
  modelsClient,
  probesClient,
  protocolModules,
  rawClient,
  responsesClient,
  systemoneClient,
  systemoneQuestion,
} from '../protocols/index.ts';
import type { Model } from '../targets/index.ts';
import { firstPauseMs, nextPause } from './again/index.ts';
import { asker } from './ask.ts';
import type { Setting } from './home.ts';
import type { Io } from './io.ts';
import type { Scenario } from './scenario.ts';
import type { Lanes } from './schedule/lanes.ts';
import { sentBefore } from './sent.ts';
import type { TargetRun } from './session.ts';

export function createIo(
  run: TargetRun,
  scenario: Scenario,
  { target, cast }: Setting,
  lanes: Lanes,
): Io {
  const draws = new Map<string, Chance>();
  return inLane('main');

  /** Each lane draws for itself: what it sends does not depend on the order in which others are answered. */
  function drawsOf(lane: string): Chance {
    const from = lane === 'main' ? scenario.name : `${scenario.name}#${lane}`;
    const drawn = draws.get(lane) ?? chance(run.seed, from);
    draws.set(lane, drawn);
    return drawn;
  }

  function inLane(lane: string): Io {
    const drawn = drawsOf(lane);
    const caller = lanes.caller(lane);
    const defaults = (): Defaults => ({
      // An endpoint that names no model may be requested by a scenario without a role.
      model: cast.model?.id ?? '',
      maxOutputTokens: target.limits.maxOutputTokens,
      input: drawn.sentence(drawn.word()),
    });
    const ordinaryOf = (model?: string): Defaults => ({
      ...defaults(),
      ...(model === undefined ? {} : { model }),
    });
    return {
      target,
      get model() {
        return asked(cast.model);
      },
      role: (name) => asked(cast.models[name], name),
      responses: responsesClient(caller, defaults),
      chatCompletions: chatCompletionsClient(caller, defaults),
      messages: messagesClient(caller, defaults),
      generative: generativeClient(caller, defaults),
      systemone: systemoneClient(caller, defaults, target.systemone),
      lists: modelsClient(caller),
      raw: rawClient(caller),
      probes: probesClient(caller, target.probes),
      generate: (protocol, body, { model, ...options } = {}) => {
        const { request } = protocolModules[protocol];
        const ordinary = ordinaryOf(model);
        const whole = { ...request.generation(ordinary, target.systemone), ...body };
        return caller.send(request.call(whole, ordinary.model), options);
      },
      generateStream: (protocol, body, { model, ...options } = {}) => {
        const { request } = protocolModules[protocol];
        const ordinary = ordinaryOf(model);
        const whole = { ...request.generation(ordinary, target.systemone), ...body };
        return caller.send(request.streamCall(whole, ordinary.model), options);
      },
      ask: asker(caller, () => ({
        ...defaults(),
        systemoneBody: systemoneQuestion(defaults(), target.systemone),
      })),
      ...drawn,
      connection: () => lanes.connection(),
      lane: inLane,
      poll: (call, done) => poll(lane, call, done),
      pause: (milliseconds) => run.pause(milliseconds, scenario, lane),
      sent: () => sentBefore(run, scenario),
      receive: (wait) => lanes.receive(lane, wait),
      get otherRegion() {
        const other = target.regions[1];
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
      if (waited + pause > target.limits.patienceMs) return answers;
      await run.pause(pause, scenario, lane);
      pause = nextPause(pause);
    }
  }
}
