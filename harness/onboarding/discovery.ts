import { type Capability, streamOver } from '../core/capability.ts';
import { each } from '../core/each.ts';
import type { Exchange } from '../core/exchange.ts';
import { type Protocol, protocols, streamingProtocols } from '../core/protocol.ts';
import type { Call } from '../protocols/call.ts';
import { generatedText, outputTokens, thoughtTokens } from '../protocols/content.ts';
import type { Defaults } from '../protocols/defaults.ts';
import { generativeCount, generativeCountCall } from '../protocols/generative/client.ts';
import { messagesCount, messagesCountCall } from '../protocols/messages/client.ts';
import { protocolModules } from '../protocols/modules.ts';
import { inputTokensCall, responsesCount } from '../protocols/responses/client.ts';
import { classifyRefusal } from './classify-refusal.ts';
import { type Ask, type Catalog, isServed } from './free-requests.ts';
import { membersOf, noModel, publicApi, unservable } from './unservable.ts';

/** What could be seen of a model. */
export interface Discovered {
  readonly id: string;
  /** Null where no free request tells. */
  readonly speaks: Readonly<Record<Protocol, boolean | null>>;
  readonly supports: readonly Capability[];
  readonly lacks: readonly Capability[];
  /** Where the key was refused, so that nothing could be seen. */
  readonly keyRefused: readonly Protocol[];
  /** An answer has counted tokens of reasoning, or tokens and no text. */
  readonly thinks: boolean;
}

interface Discovery {
  readonly ask: Ask;
  readonly catalog: Catalog | null;
  /** Ask for generations, too: they cost something. */
  readonly generate: boolean;
}

/** Finds out which protocols a model declares, and some of what its channel offers. */
export async function discover(
  id: string,
  { ask, catalog, generate }: Discovery,
): Promise<Discovered> {
  const keyRefused: Protocol[] = [];
  const entries = await Promise.all(
    protocols.map(async (protocol) => {
      const call = unservable(protocol, id);
      const own = await ask(call);
      if (own.response?.status === 401) keyRefused.push(protocol);
      const other = await ask(unservable(protocol, noModel));
      return [protocol, isDeclared(own, other, call, id)] as const;
    }),
  );
  const speaks = new Map<Protocol, boolean | null>(entries);
  const listed = catalog?.models.find((one) => one.id === id);
  if (listed !== undefined && speaks.get('generative') === null) speaks.set('generative', true);
  const left = listed === undefined && catalog?.complete === true && catalog.models.length > 0;
  // A gateway may look at the body before it looks at what the model declares: the catalog knows better.
  if (left && speaks.get('generative') === true) speaks.set('generative', null);

  const says = new Map<Capability, boolean>();
  for (const { protocol, capability, call } of counts({
    model: id,
    input: 'Hello',
    maxOutputTokens: 16,
  })) {
    if (speaks.get(protocol) === false) continue;
    const exchange = await ask(call);
    if (isServed(exchange)) speaks.set(protocol, true);
    if (isServed(exchange) || (speaks.get(protocol) === true && isRefused(exchange))) {
      says.set(capability, isServed(exchange));
    }
  }
  // A catalog may well name some of the methods only: what it leaves out is open.
  if (listed?.methods.includes('streamGenerateContent')) says.set('stream:generative', true);
  const thinks = generate && (await tryGenerations(id, speaks, says, ask));
  if (left && speaks.get('generative') === null) speaks.set('generative', false);
  const named = (wanted: boolean): Capability[] =>
    [...says].filter(([, has]) => has === wanted).map(([capability]) => capability);
  return {
    id,
    speaks: each(protocols, (protocol) => speaks.get(protocol) ?? null),
    supports: named(true),
    lacks: named(false),
    keyRefused: protocols.filter((protocol) => keyRefused.includes(protocol)),
    thinks,
  };
}

/** Gives back whether the model has thought before it answered. */
async function tryGenerations(
  id: string,
  speaks: Map<Protocol, boolean | null>,
  says: Map<Capability, boolean>,
  ask: Ask,
): Promise<boolean> {
  let thinks = false;
  for (const protocol of protocols) {
    if (speaks.get(protocol) === false) continue;
    const { whole, stream } = generations(protocol, {
      model: id,
      input: 'Say hello.',
      maxOutputTokens: 16,
    });
    const exchange = await ask(whole);
    if (isServed(exchange)) speaks.set(protocol, true);
    else if (isRefused(exchange)) speaks.set(protocol, false);
    thinks ||= isServed(exchange) && hasThought(exchange);
    const streaming = streamingProtocols.find((one) => one === protocol);
    if (stream === null || streaming === undefined || !isServed(exchange)) continue;
    const streamed = await ask(stream);
    if (isRefused(streamed)) says.set(streamOver(streaming), false);
    if (isEvents(streamed)) says.set(streamOver(streaming), true);
  }
  return thinks;
}

function hasThought(answer: Exchange): boolean {
  const hasNoText = generatedText(answer) === '' && (outputTokens(answer) ?? 0) > 0;
  return (
    hasNoText || /"reasoning_tokens":\s*[1-9]/.test(textOf(answer)) || thoughtTokens(answer) > 0
  );
}

function textOf({ response }: Exchange): string {
  return new TextDecoder().decode(response?.body);
}

/**
 * Whether a model declares the protocol of an endpoint. It does if the refusal is about the body, and
 * about something else for a model that does not exist. If both refusals are about the body, the
 * gateway checks the model later, and nothing is known. A refusal about neither tells nothing.
 */
function isDeclared(own: Exchange, other: Exchange, call: Call, id: string): boolean | null {
  if (isServed(own)) return true;
  if (!isRefused(own) || !isRefused(other)) return null;
  const members = membersOf(call);
  const about = classifyRefusal(own, id, members);
  const aboutOther = classifyRefusal(other, noModel, members);
  if (about === 'offer') return false;
  if (aboutOther === 'body') return null;
  const told = aboutOther === 'model' || aboutOther === 'nothing there';
  switch (about) {
    case 'body':
      return told || own.response?.status !== other.response?.status ? true : null;
    case 'model':
    case 'nothing there':
      return told ? false : null;
    case 'unclear':
      return null;
  }
}

/** Refused for what it is, and not because of a credential, a limit or an outage. */
function isRefused({ response }: Exchange): boolean {
  const status = response?.status ?? 0;
  return (
    (status >= 400 && status < 500 && ![401, 402, 408, 429].includes(status)) || status === 501
  );
}

function isEvents({ response }: Exchange): boolean {
  const type = response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return response?.status === 200 && /text\/event-stream/i.test(type ?? '');
}

function counts(defaults: Defaults) {
  return [
    {
      protocol: 'responses',
      capability: 'input_tokens',
      call: inputTokensCall(responsesCount(defaults)),
    },
    {
      protocol: 'messages',
      capability: 'count_tokens',
      call: messagesCountCall(messagesCount(defaults)),
    },
    {
      protocol: 'generative',
      capability: 'vendorB-count',
      call: generativeCountCall({ model: defaults.model }, generativeCount(defaults)),
    },
  ] as const;
}

function generations(
  protocol: Protocol,
  defaults: Defaults,
): { readonly whole: Call; readonly stream: Call | null } {
  const { request } = protocolModules[protocol];
  const body = request.generation(defaults, publicApi);
  return {
    whole: request.call(body, defaults.model),
    stream: request.streamCall?.(body, defaults.model) ?? null,
  };
}
