import {
  type Capability,
  type Exchange,
  each,
  type Protocol,
  protocols,
} from '../../kernel/core/index.ts';
import {
  type Ask,
  type Catalog,
  classifyRefusal,
  deniesEndpoint,
  isServed,
  membersOf,
  noModel,
  unservable,
} from '../../kernel/probing/index.ts';
import {
  type Call,
  type Defaults,
  generativeCount,
  generativeCountCall,
  inputTokensCall,
  messagesCount,
  messagesCountCall,
  responsesCount,
} from '../../kernel/protocols/index.ts';

/** Observed facts of a model. */
export interface Discovered {
  readonly id: string;
  /** True or false if a free request shows it, otherwise null. */
  readonly speaks: Readonly<Record<Protocol, boolean | null>>;
  readonly supports: readonly Capability[];
  readonly lacks: readonly Capability[];
  /** Protocols that refused the key, so that nothing could be seen. */
  readonly keyRefused: readonly Protocol[];
  /** True if an answer has counted reasoning tokens, or tokens and no text. */
  readonly thinks: boolean;
  /** Capabilities that were requested and answered, but ignored. */
  readonly ignores: readonly Capability[];
  /** Capabilities that were not tried because the budget was used up. */
  readonly untried: readonly Capability[];
  /** Refusals of generations that may change, for example with another header name. */
  readonly notes: readonly string[];
  /** True if a fully read catalog lacks the model, which then likely has no generative-content. */
  readonly leftOut: boolean;
}

interface Discovery {
  readonly ask: Ask;
  readonly catalog: Catalog | null;
}

/** Determines which protocols a model declares, and some of its channel's features. */
export async function discover(id: string, { ask, catalog }: Discovery): Promise<Discovered> {
  const keyRefused: Protocol[] = [];
  const entries = await Promise.all(
    protocols.map(async (protocol) => {
      const call = unservable(protocol, id);
      const own = await ask(call);
      if (own.response?.status === 401) {
        if (await isMissingForBearer(call, id, ask)) return [protocol, false] as const;
        keyRefused.push(protocol);
      }
      const other = await ask(unservable(protocol, noModel));
      return [protocol, isDeclared(own, other, call, id)] as const;
    }),
  );
  const speaks = new Map<Protocol, boolean | null>(entries);
  const listed = catalog?.models.find((one) => one.id === id);
  if (listed !== undefined && speaks.get('generative') === null) speaks.set('generative', true);
  const left = listed === undefined && catalog?.complete === true && catalog.models.length > 0;
  // A gateway may validate the body before the model's declarations. The catalog is more reliable.
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
  // A catalog may name only some of the methods, so missing ones prove nothing.
  if (listed?.methods.includes('streamGenerateContent')) says.set('stream:generative', true);
  // A model missing in a complete catalog does not exist there, unless a generation shows otherwise.
  const leftOut = left && speaks.get('generative') === null;
  const named = (wanted: boolean): Capability[] =>
    [...says].filter(([, has]) => has === wanted).map(([capability]) => capability);
  return {
    id,
    speaks: each(protocols, (protocol) => speaks.get(protocol) ?? null),
    supports: named(true),
    lacks: named(false),
    keyRefused: protocols.filter((protocol) => keyRefused.includes(protocol)),
    thinks: false,
    ignores: [],
    untried: [],
    notes: [],
    leftOut,
  };
}

/**
 * True if the endpoint is missing for the key as Bearer. Many gateways check this credential before the path, and
 * so answer 401 for every other protocol, even if they do not have it.
 */
export async function isMissingForBearer(call: Call, model: string, ask: Ask): Promise<boolean> {
  const exchange = await ask(call, { placement: 'bearer' });
  return isRefused(exchange) && deniesEndpoint(exchange, model, membersOf(call));
}

/**
 * True if a model declares the protocol of an endpoint: its refusal is about the body, and that of a nonexistent
 * model is not. If both refusals are about the body, the gateway checks the model later, and the result is null. A
 * refusal about neither is inconclusive.
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

/** True for a refusal of the request itself, and not because of a credential, a limit or an outage. */
export function isRefused({ response }: Exchange): boolean {
  const status = response?.status ?? 0;
  return (
    (status >= 400 && status < 500 && ![401, 402, 408, 429].includes(status)) || status === 501
  );
}

/** Requests that show a capability free of charge. */
export function counts(defaults: Defaults) {
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
