import {
  type AskedCapability,
  type Call,
  type Defect,
  type DialectName,
  isArray,
  type JsonObject,
  Refusal,
} from '../../../reference/index.ts';
import { decide, tighten } from '../../decisions.ts';
import { changed, dropping, memberAt, replacing, set, without } from '../../editing.ts';
import { bodies, eachData, handlingAll, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

interface Asked {
  readonly dialect: DialectName;
  readonly capability: AskedCapability;
  /** Name in the ids of checks on JSON bodies; null if no such check exists. */
  readonly inBody: string | null;
  /** Name of the capability in ids of checks on streams; null if it is not asked for in a stream. */
  readonly inStream: string | null;
}

const dialects = ['responses', 'chat-completions', 'messages', 'generative'] as const;

function over(
  names: readonly DialectName[],
  capability: AskedCapability,
  inBody: string | null,
  inStream = inBody,
): Asked[] {
  return names.map((dialect) => ({ dialect, capability, inBody, inStream }));
}

const all: readonly Asked[] = [
  ...over(['chat-completions', 'messages', 'generative'], 'stop', 'stop'),
  ...over(dialects, 'structured_output', 'structured-output'),
  ...over(['responses', 'chat-completions', 'generative'], 'logprobs', 'logprobs'),
  ...over(['chat-completions', 'generative'], 'candidates', 'candidates'),
  ...over(dialects, 'images', 'images', null),
  ...over(dialects, 'tools', 'tool-choice', 'tools'),
];

function wholeAndStreamed(dialect: DialectName, name: string): string[] {
  return ['supported-served', 'not-ignored'].map((rule) => checkOf(rule, dialect, name));
}

function checkOf(rule: string, dialect: DialectName, name: string): string {
  return `generation/asked.${rule}:${dialect}.${name}`;
}

function ignoredRows(dialect: DialectName, name: string, isSaid: boolean): string[] {
  const kept = name === 'stop' ? [`generation/asked.stop-kept:${dialect}`] : [];
  return [
    ...(isSaid ? wholeAndStreamed(dialect, name) : [checkOf('not-ignored', dialect, name)]),
    ...kept,
  ];
}

function streams(call: Call): boolean {
  return call.gateway.seams.policy.wantsStream(call.body, call);
}

/** Ignores the feature where `fits` returns true. */
function ignoring({ dialect, capability }: Asked, fits: (call: Call) => boolean = () => true) {
  return tighten(
    'honours',
    (asked, call) => asked === capability && call.dialect.name === dialect && fits(call),
  );
}

const named = all.map((asked) => {
  const { dialect, capability, inBody, inStream } = asked;
  const supported = [...new Set([inBody, inStream])].filter((name) => name !== null);
  return {
    ...asked,
    id: `${dialect}-${capability.replace('_', '-')}`,
    bodyRows: inBody === null ? '' : ignoredRows(dialect, inBody, true).join(' '),
    streamRows: inStream === null ? '' : ignoredRows(dialect, inStream, true).join(' '),
    unsaidRows: inBody === null ? '' : ignoredRows(dialect, inBody, false).join(' '),
    refusedRows: supported.map((name) => checkOf('supported-served', dialect, name)).join(' '),
  };
});

const ignored: readonly Fault[] = [
  ...each(
    named.filter(({ inBody }) => inBody !== null),
    (asked) => ({ 'asked.{id}-ignored-in-body': ignoring(asked, (call) => !streams(call)) }),
  ),
  ...each(
    named.filter(({ inStream }) => inStream !== null),
    (asked) => ({ 'asked.{id}-ignored-in-stream': ignoring(asked, streams) }),
  ),
  // The target file does not mention the capability.
  ...each(
    named.filter(({ capability, inBody }) => capability !== 'tools' && inBody !== null),
    (asked) => ({
      'asked.{id}-unsaid-ignored': { silentAbout: [asked.capability], override: ignoring(asked) },
    }),
  ),
];

const refused: readonly Fault[] = each(named, ({ dialect, capability }) => ({
  'asked.{id}-refused': tighten(
    'supports',
    (_, wanted, call) => wanted === capability && call.dialect.name === dialect,
  ),
}));

const toldIn = /"(?:system|instructions|systemInstruction)":|"role":"(?:system|developer)"/;

function ignoringWhereTold(protocol: DialectName, feature: AskedCapability) {
  return tighten('honours', (asked, { body, dialect: { name } }) => {
    return asked === feature && name === protocol && toldIn.test(JSON.stringify(body));
  });
}

/** Features that are forgotten for the sake of another. */
const forgotten: readonly Fault[] = [
  ...each(dialects, (dialect) => ({
    'asked.{}-structure-ignored-where-told': ignoringWhereTold(dialect, 'structured_output'),
  })),
  ...planted({ 'asked.tools-ignored-where-told': ignoringWhereTold('messages', 'tools') }),
];

/** Lets the model choose to call a function, although the request forbids it. */
function freely(body: JsonObject): JsonObject {
  const chosen = changed(body, 'tool_choice', (choice) => {
    if (choice === 'none') return 'auto';
    return memberAt(choice, 'type') === 'none' ? { type: 'auto' } : choice;
  });
  return changed(chosen, 'toolConfig.functionCallingConfig.mode', (mode) =>
    mode === 'NONE' ? 'AUTO' : mode,
  );
}

const calledThough: readonly Fault[] = each(dialects, (dialect) => ({
  'asked.{}-forbidden-call-made': handlingAll((handle) => (call, key) => {
    const isHere = call.dialect.name === dialect;
    return handle(isHere ? { ...call, body: freely(call.body) } : call, key);
  }),
}));

/** Lets the model choose, where the request requires a call and names none. */
const unheeded = each(['responses', 'chat-completions', 'messages'] as const, (dialect) => ({
  'asked.{}-required-call-unheeded': decide('generate', (native) => (prompt, call) => {
    const isHere = call.dialect.name === dialect && prompt.callRequired === 'any';
    return native(isHere ? { ...prompt, callRequired: null } : prompt, call);
  }),
}));

/** Rewrites the text of a completion in one of its choices. */
function inChoice(index: number, change: (text: string) => string): Defect['override'] {
  return bodies('chat-completions.completion', (body) =>
    changed(body, `choices.${index}.message.content`, (text) =>
      typeof text === 'string' ? change(text) : text,
    ),
  );
}

const text = 'content.0.text';

const halfDone: readonly Fault[] = planted({
  'asked.messages-stop-as-end-turn': bodies(
    'messages.message',
    replacing('stop_reason', 'stop_sequence', 'end_turn'),
  ),
  'asked.messages-stop-unnamed': eachData('messages', (data) =>
    memberAt(data, 'delta.stop_reason') === 'stop_sequence'
      ? set(data, 'delta.stop_sequence', null)
      : data,
  ),
  'asked.chat-stop-included': inChoice(0, (said) =>
    said.endsWith('six\n') ? `${said}seven` : said,
  ),
  'asked.chat-second-choice-in-prose': inChoice(1, (said) =>
    said.startsWith('{') ? 'Blue, and seven.' : said,
  ),
  'asked.chat-value-beyond-enum': inChoice(0, (said) =>
    said.replace(/"(red|green|blue)"/, '"purple"'),
  ),
  'asked.messages-json-in-fence': bodies('messages.message', (body) =>
    changed(body, text, (said) =>
      typeof said === 'string' && said.startsWith('{') ? `\`\`\`json\n${said}\n\`\`\`` : said,
    ),
  ),
  'asked.chat-too-many-likely-tokens': bodies('chat-completions.completion', (body) =>
    changed(body, 'choices.0.logprobs.content.0.top_logprobs', (top) =>
      isArray(top) ? [...top, ...top] : top,
    ),
  ),
  'asked.responses-logprob-without-value': bodies(
    'responses.response',
    dropping('output.0.content.0.logprobs.0.logprob'),
  ),
  'asked.generative-likely-tokens-alone': together(
    bodies('generative.response', withoutChosen),
    eachData('generative', withoutChosen),
  ),
});

function withoutChosen(body: JsonObject): JsonObject {
  return without(body, 'candidates.0.logprobsResult.chosenCandidates');
}

/** Entries of a conversation with the result of a call. */
const resultOfCall = /"(?:function_call_output|tool_result|functionResponse)"|"role":"tool"/;

/** Refuses a stream that reads the result of a call. */
const refusedTogether: readonly Fault[] = each(dialects, (dialect) => ({
  'asked.together-refused-{}': handlingAll((handle) => (call, key) => {
    const streamed = streams(call) && call.operation !== 'responses.websocket';
    if (call.dialect.name === dialect && streamed && resultOfCall.test(JSON.stringify(call.body))) {
      throw new Refusal('invalid-value', 'The result of a call is read in no stream.');
    }
    return handle(call, key);
  }),
}));

export const generationAskedFaults: readonly Fault[] = [
  ...refusedTogether,
  ...forgotten,
  ...ignored,
  ...refused,
  ...calledThough,
  ...unheeded,
  ...halfDone,
];
