import {
  type CallOptions,
  type Cost,
  calledFunction,
  designs,
  type Exchange,
  each,
  type Fields,
  fields,
  type Io,
  isServed,
  type Model,
  optionalFeatures,
  type Protocol,
  permittedKeys,
  prose,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  type Target,
} from '../../../harness/index.ts';

interface Generation {
  create(io: Io, body: Fields, as?: CallOptions): Promise<Exchange>;
  stream(io: Io, body: Fields, as?: CallOptions): Promise<Exchange>;
  /** Returns body members with one user turn and an output limit. */
  asking(input: string, limit: number): Fields;
}

export function askingBeyond(limit: number, { text, word }: Pick<Io, 'text' | 'word'>): string {
  return text(4 * limit, word());
}

/** Returns the first turn of a conversation and the answer to it. */
export function earlierTurns({ firstTurn, firstAnswer }: Io['longTexts']) {
  return [
    { by: 'user', texts: [firstTurn] },
    { by: 'model', texts: [firstAnswer] },
  ] as const;
}

/** Total number of words of the earlier turns. */
export const earlierWords = prose.wordsOfTexts.firstTurn + prose.wordsOfTexts.firstAnswer;

export function longText({ firstTurn, firstAnswer, system }: Io['longTexts']): string {
  return [firstTurn, firstAnswer, system].join(' ');
}

export const longTextWords = earlierWords + prose.wordsOfTexts.system;

/**
 * Last turn of a chain. A short text reveals a gateway that reads only the previous turn: dropping the first turn
 * loses more tokens than this text adds, unless the second answer is far longer than the first.
 */
export const shortTurn = 'Go on.';

/** Returns an output limit for calls of a small function, with room for a model that thinks first. */
export function callLimitAt({ limits }: Target): number {
  return Math.max(calledFunction.limit, limits.maxOutputTokens);
}

/** Returns body members that request storage, if the protocol stores responses. */
export function storing(protocol: StreamingProtocol): Fields {
  return protocol === 'responses' ? { store: true } : {};
}

export const generation: Readonly<Record<StreamingProtocol, Generation>> = each(
  streamingProtocols,
  (protocol): Generation => {
    const { text, textValue, outputLimit } = protocolModules[protocol].request;
    return {
      create: (io, body, as) => io.generate(protocol, body, as),
      stream: (io, body, as) => io.generateStream(protocol, body, as),
      asking: (input, limit) => ({ [text]: textValue(input), ...fields.at(outputLimit, limit) }),
    };
  },
);

type FeatureRow = ReturnType<typeof designs.arrayAt>['rows'][number];

/** A generation that carries features of the covering array. */
export interface Featured {
  /** Answer to the request with all of its features. */
  readonly rich: Exchange;
  /** Answer for the scenario to continue with: `rich`, or that to the plain request if it was not served. */
  readonly answer: Exchange;
  readonly row: FeatureRow;
}

/** Returns the request that the array gives to a scenario's generation, or to a declared model, if any. */
export function carriedBy(
  carrier: string | Model,
  protocol: StreamingProtocol,
  { target }: Pick<Io, 'target'>,
): FeatureRow | null {
  return designs.arrayAt(protocol, target).carriedBy(carrier);
}

interface FeaturedOptions {
  /** Distinguishes it from others of the scenario. */
  readonly name?: string;
  /** Body with the conversation of the scenario, to which the other features are added. */
  readonly body?: Fields;
}

/** Sends a scenario's generation with its features, or plain if another model carries them. */
export async function sendCarried(
  io: Io,
  protocol: StreamingProtocol,
  carrier: string,
  plain: (as: CallOptions) => Promise<Exchange>,
  options: FeaturedOptions = {},
): Promise<Pick<Featured, 'answer'>> {
  const row = carriedBy(carrier, protocol, io);
  if (row === null || row.model.id !== io.model.id) return { answer: await plain({}) };
  return sendFeatured(io, protocol, row, plain, options);
}

/**
 * Sends a generation with its features. If that is not served, the plain request follows: a model may refuse two
 * features together, and whoever carries them still needs its answer.
 *
 * @param plain the request without the features
 */
export async function sendFeatured(
  io: Io,
  protocol: StreamingProtocol,
  row: FeatureRow,
  plain: (as: CallOptions) => Promise<Exchange>,
  options: FeaturedOptions = {},
): Promise<Featured> {
  const asking = featuredAsking(io, protocol, row);
  const { body: own, name } = options;
  const body =
    own === undefined
      ? asking.body
      : fields.merged(asking.fields, own, limitFields(protocol, asking.limit));
  const over =
    row.chosen.connection === 'kept' ? { over: await keptConnection(io, asking.as) } : {};
  const as = { ...asking.as, ...over, model: row.model.id };
  const lane = io.lane([featuresLane, ...(name === undefined ? [] : [name])].join(' '));
  const rich = await sendAs(lane, protocol, row, body, as);
  return { rich, answer: isServed(rich) ? rich : await plain({}), row };
}

/** First word of the lanes of requests with features. */
const featuresLane = 'features';

/** True for a request that carries features of the array. */
export function isFeatured({ id }: Exchange): boolean {
  return id.lane.split(' ')[0] === featuresLane;
}

/** Sends a request with the key of another user, if the target has one for the model. */
export function ofOtherUser({ model, target }: Pick<Io, 'model' | 'target'>): CallOptions {
  const isOpen = permittedKeys(model).includes('otherUser');
  return isOpen && target.keys.otherUser !== undefined ? { key: 'otherUser' } : {};
}

function limitFields(protocol: StreamingProtocol, limit: number): Fields {
  return fields.at(protocolModules[protocol].request.outputLimit, limit);
}

function sendAs(
  io: Io,
  protocol: StreamingProtocol,
  { chosen: { mode, path } }: FeatureRow,
  body: Fields,
  as: CallOptions & { readonly model: string },
): Promise<Exchange> {
  if (path === 'alternate') {
    const { generative } = io;
    const there = { ...as, alternatePath: true };
    return mode === 'stream' ? generative.stream(body, there) : generative.generate(body, there);
  }
  return mode === 'stream'
    ? io.generateStream(protocol, body, as)
    : io.generate(protocol, body, as);
}

async function keptConnection(io: Io, { region }: CallOptions) {
  const over = io.connection();
  await io.lists.list({ over, ...(region === undefined ? {} : { region }) });
  return over;
}

function featuredAsking(io: Io, protocol: StreamingProtocol, { otherRegion, chosen }: FeatureRow) {
  const { target, longTexts } = io;
  const lowLimit = target.limits.maxOutputTokens;
  return optionalFeatures.request(chosen, protocol, io.sentence(io.word()), {
    ...longTexts,
    // A word of its own shows where it comes into another answer. Generative-content caches what is repeated.
    ...(protocol === 'generative'
      ? {}
      : { system: `${longTexts.system} Your name is ${io.word()}.` }),
    callQuestion: io.callQuestion(),
    subject: io.word(),
    longQuestion: askingBeyond(lowLimit, io),
    lowLimit,
    ampleLimit: callLimitAt(target),
    otherRegion,
  });
}

/** Returns the most that generations with features cost: each may be followed by the plain one. */
export function featuredCost({ limits }: Target, count: number): Cost {
  const most = Math.max(calledFunction.limit, limits.maxOutputTokens) + 1_024;
  return {
    ...{ requests: 3 * count, generations: count, fallback: count },
    ...{ outputTokens: most, chain: 3 },
  };
}

/** Requests that the array adds to those of other scenarios. */
export const featured = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generations/featured/${protocol}`,
    {
      needs: { model: { speaks: protocol } },
      together: protocol,
      cost: (target) => featuredCost(target, addedRows(protocol, target).length),
    },
    async (io): Promise<readonly Featured[]> => {
      return Promise.all(
        addedRows(protocol, io.target).map((row, n) => {
          const name = `${n + 1}`;
          const plain = () => io.lane(name).generate(protocol, {}, { model: row.model.id });
          return sendFeatured(io, protocol, row, plain, { name });
        }),
      );
    },
  ),
);

function addedRows(protocol: StreamingProtocol, target: Target): readonly FeatureRow[] {
  return designs.arrayAt(protocol, target).rows.filter(({ carrier }) => carrier === null);
}

/** Returns the models that declare the protocol and that the owner may use. */
export function speakers(target: Target, protocol: Protocol): Model[] {
  return target.models.filter(
    ({ protocols: declared, permitted }) =>
      declared.includes(protocol) && (permitted ?? ['owner']).includes('owner'),
  );
}

/** Returns a model id that does not exist, in the form of a real one. */
export function inventedModel({ word }: Pick<Io, 'word'>): string {
  return `${word()}-large`;
}
