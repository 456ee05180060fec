import { type StreamingProtocol, streamingProtocols } from '../../kernel/core/index.ts';
import { featureChoices, featureModes, keptApart } from '../../kernel/protocols/index.ts';
import {
  type Call,
  isArray,
  isObject,
  isShallow,
  type JsonObject,
  Refusal,
} from '../../reference/index.ts';
import { everyAnswer } from './answers.ts';
import type { Point } from './condition.ts';
import { type Decision, type Fits, type Plantable, plantable, type Shown } from './decision.ts';
import { refusing } from './requests.ts';

// Faults that show where a generation request has two features: with both, it is refused, or its answer is wrong.

type SeenFeature = readonly [choice: string, value: string];

/** Returns every value of every choice that a request of a protocol can have, and that a gateway can see. */
function featuresOver(protocol: StreamingProtocol): readonly SeenFeature[] {
  return [
    ...Object.keys(featureModes[protocol]).map((mode): SeenFeature => ['mode', mode]),
    ...(protocol === 'generative'
      ? ['main', 'alternate'].map((path): SeenFeature => ['path', path])
      : []),
    ...Object.entries(featureChoices).flatMap(([choice, values]) =>
      // A request does not show if its connection has carried another before.
      choice === 'connection'
        ? []
        : Object.entries(values).flatMap(([value, { needs }]): SeenFeature[] =>
            needs(protocol) === null ? [] : [[choice, value]],
          ),
    ),
  ];
}

/** A long input is tried with few other features. */
const longest = '64-kb';

function points(breaks: string): Shown<Point>[] {
  return streamingProtocols.flatMap((protocol) => {
    const values = featuresOver(protocol).filter(([, value]) => value !== longest);
    return values.flatMap((one, n) =>
      values
        .slice(n + 1)
        .filter((other) => other[0] !== one[0] && keptApart(protocol, one, other) === null)
        .map((other) => ({
          at: { protocol, ...Object.fromEntries([one, other]) },
          breaks: [`${breaks}:${protocol}`],
        })),
    );
  });
}

/** Returns the features of a generation request, as far as a gateway sees them; null for any other request. */
function featuresOf(call: Call): Point | null {
  const { body, headers, operation, dialect, path, gateway, key } = call;
  const protocol = streamingProtocols.find((name) => name === dialect.name);
  if (protocol === undefined || !generating.test(operation) || !isShallow(body)) return null;
  const text = JSON.stringify(body);
  const results = text.match(resultOfCall)?.length ?? 0;
  const has: Readonly<Record<string, string | false>> = {
    mode: operation === 'generative.stream' || body.stream === true ? 'stream' : 'body',
    path: protocol === 'generative' && (path.startsWith('/v1/') ? 'alternate' : 'main'),
    system: told.test(text) && 'told',
    turns: /"role":"(?:assistant|model)","(?:content":"|parts":\[\{"text)/.test(text) && 'several',
    stop: /"(?:stop|stop_sequences|stopSequences)":\[/.test(text) && 'set',
    output: /"json_schema"|"responseSchema"/.test(text) && 'structured',
    tools: toolsOf(body, text, results),
    limit: limitOf(body) <= 32 && 'hit',
    thinking: /"(?:reasoning_effort|thinkingConfig|budget_tokens|effort)"/.test(text) && 'asked',
    prefix: /"(?:prompt_cache_key|cache_control)"/.test(text) && 'cached',
    usage: text.includes('"include_usage":true') && 'asked',
    letters: text.includes('𐌰') && 'beyond',
    size: text.length > 60_000 ? longest : text.length > 7_500 && '8-kb',
    coding: headers['accept-encoding'] === 'br' && 'br',
    user: key?.role === 'otherUser' && 'other',
    region: gateway.region !== gateway.everywhere[0]?.region && 'other',
  };
  const shown = Object.entries(has).flatMap(([name, value]) =>
    value === false ? [] : [[name, value] as const],
  );
  return { protocol, ...Object.fromEntries(shown) };
}

const generating =
  /^(?:responses|chat-completions|messages)\.create$|^generative\.(?:generate|stream)$/;
const resultOfCall = /"(?:function_call_output|tool_result|functionResponse)"|"role":"tool"/g;
const told = /"(?:instructions|system|systemInstruction)":|"role":"(?:system|developer)"/;

function toolsOf({ tools, tool_choice, toolConfig }: JsonObject, text: string, results: number) {
  if (!isArray(tools)) return false;
  if (results > 0) return results === 1 ? 'result' : 'results';
  if (tool_choice === 'none' || /"(?:mode":"NONE|tool_choice":\{"type":"none)"/.test(text)) {
    return 'forbidden';
  }
  const isForced = tool_choice === 'required' || isObject(tool_choice) || isObject(toolConfig);
  return isForced && 'forced';
}

function limitOf(body: JsonObject): number {
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  const limits = [body.max_output_tokens, body.max_completion_tokens, body.max_tokens];
  const limit = [...limits, config.maxOutputTokens].find((one) => typeof one === 'number');
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}

const fitting =
  (fits: Fits<Point>) =>
  (call: Call): boolean => {
    const point = featuresOf(call);
    return point !== null && fits(point, call);
  };

const notTogether = new Refusal('invalid-value', 'These are not offered together.');

/** Replaces the name of the model, wherever an answer or an event has it. */
function ofAnotherModel(data: JsonObject): JsonObject {
  const name = 'another-model';
  return Object.fromEntries(
    Object.entries(data).map(([member, value]) => {
      if (member === 'model' || member === 'modelVersion') return [member, name];
      const isAnswer = member === 'response' || member === 'message';
      return [member, isAnswer && isObject(value) ? ofAnotherModel(value) : value];
    }),
  );
}

const decisions: readonly Decision[] = [
  {
    id: 'features.refused',
    what: 'A request is refused',
    shown: points('generation/asked.served-together'),
    override: (fits) => refusing(notTogether, fitting(fits)),
  },
  {
    id: 'features.other-model',
    what: 'An answer names another model',
    shown: points('everywhere/answers.asked-model'),
    override: (fits) => everyAnswer(fitting(fits), ofAnotherModel),
  },
];

/** Returns the decisions that are wrong where a request has two features. */
export function featureDecisions(): Plantable[] {
  return decisions.map(plantable);
}
