import {
  type Ask,
  type Exchange,
  each,
  type Fields,
  fields,
  type Io,
  isRefused,
  type Model,
  optionalFeatures,
  over,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  type Target,
} from '../../harness/index.ts';
import { generation, ofOtherUser, speakers } from '../scenarios/generations/generation-calls.ts';

interface AskedFor {
  readonly model: Model;
  /** Answers to requests with the feature: in one JSON body, and as a stream if the model streams. */
  readonly answers: readonly Exchange[];
  /** Request with the same text, without the feature. */
  readonly without: Exchange | null;
  /** Answer to the text alone; null if no request was refused. */
  readonly control: Exchange | null;
}

/**
 * Requests all optional features of a generation at once. If that is refused, each feature gets a separate request,
 * because a gateway may offer one and not another. A stop sequence always gets a separate request, because it would
 * end the text of another feature.
 */
export const askedFor = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/asked/${protocol}`,
    {
      needs: { model: { speaks: protocol } },
      together: protocol,
      cost: (target) => {
        const groups = groupsAt(target, protocol);
        const sum = (count: (group: Group) => number): number =>
          groups.reduce((so, group) => so + count(group), 0);
        const [generations, fallback] = [sum((one) => formsOf(one, protocol)), sum(alone)];
        const several = protocolModules[protocol].asking.fields.candidates !== null;
        const outputTokens =
          optionalFeatures.values.limit * (several ? optionalFeatures.values.candidates : 1);
        return { requests: generations + fallback, generations, fallback, outputTokens, chain: 2 };
      },
    },
    async (io) => {
      const groups = groupsAt(io.target, protocol);
      // Another user asks one of them: a gateway may give each the answer of the other.
      const answers = await Promise.all(
        groups.map((group, n) => askTogether(group, protocol, io, n === 0)),
      );
      return new Map(answers.flat());
    },
  ),
);

interface Group {
  readonly model: Model;
  readonly asks: readonly Ask[];
}

function groupsAt(target: Target, protocol: StreamingProtocol): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const ask of optionalFeatures.names) {
    const model = modelFor(target, protocol, ask);
    if (model === null || protocolModules[protocol].asking.fields[ask] === null) continue;
    const name = `${ask === 'stop'} ${model.id}`;
    groups.set(name, { model, asks: [...(groups.get(name)?.asks ?? []), ask] });
  }
  return [...groups.values()];
}

/** Returns a model that declares the capability, or else one that may have it. */
function modelFor(target: Target, protocol: StreamingProtocol, ask: Ask): Model | null {
  const capability = over(ask, protocol);
  const models = speakers(target, protocol);
  return (
    models.find(({ supports }) => supports.includes(capability)) ??
    models.find(({ lacks }) => !lacks.includes(capability)) ??
    models[0] ??
    null
  );
}

/** Returns the number of combined requests: one JSON body, and a second form if there is one. */
function formsOf({ model, asks }: Group, protocol: StreamingProtocol): number {
  return streams(model, protocol) || withoutImages(asks).length < asks.length ? 2 : 1;
}

function streams({ supports }: Model, protocol: StreamingProtocol): boolean {
  return supports.includes(over('stream', protocol));
}

/** Returns the number of requests after a refusal: each feature alone in both forms, and one without any. */
function alone({ asks }: Group): number {
  const each = (count: number): number => (count > 1 ? count : 0);
  return 1 + each(asks.length) + each(withoutImages(asks).length);
}

/** Removes images, which only one form sends: the other form shows the cost without them. */
function withoutImages(asks: readonly Ask[]): readonly Ask[] {
  return asks.filter((ask) => ask !== 'images');
}

async function askTogether(
  { model, asks }: Group,
  protocol: StreamingProtocol,
  io: Io,
  byOther: boolean,
): Promise<readonly (readonly [Ask, AskedFor])[]> {
  const { stream, asking } = protocolModules[protocol];
  const as = { model: model.id, ...(byOther ? ofOtherUser({ model, target: io.target }) : {}) };
  const text = optionalFeatures.values.prompt(asks, io.word());
  const body = (some: readonly Ask[]): Fields =>
    fields.merged(
      generation[protocol].asking(text, optionalFeatures.values.limit),
      ...some.map((ask) => asking.fields[ask]?.(text) ?? {}),
    );
  const lane = (form: string, some: readonly Ask[]): Io =>
    io.lane([asks[0], form, ...some].join('-'));
  const inBody = (some: readonly Ask[]): Promise<Exchange> =>
    lane('body', some).generate(protocol, body(some), as);
  // Only the cost of images needs the usage: other streams show that none comes unasked.
  const usage = asks.includes('images') ? stream.askingForUsage : {};
  const inStream = (some: readonly Ask[]): Promise<Exchange> =>
    lane('stream', some).generateStream(protocol, { ...body(some), ...usage }, as);

  const isStreamed = streams(model, protocol);
  const others = withoutImages(asks);
  const [whole, other] = await Promise.all([
    inBody(asks),
    isStreamed ? inStream(others) : others.length < asks.length ? inBody(others) : null,
  ]);
  const isRefusedWhole = isRefused(whole, { capability: true });
  const isRefusedOther = other !== null && isRefused(other, { capability: true });
  const control = isRefusedWhole || isRefusedOther ? await inBody([]) : null;
  const apart = isRefusedWhole && asks.length > 1;
  return Promise.all(
    asks.map(async (ask): Promise<readonly [Ask, AskedFor]> => {
      const first = apart ? await inBody([ask]) : whole;
      if (ask === 'images') {
        return [ask, { model, answers: [first], without: apart ? control : other, control }];
      }
      const streamed = !isStreamed
        ? []
        : [isRefusedOther && others.length > 1 ? await inStream([ask]) : (other ?? whole)];
      return [ask, { model, answers: [first, ...streamed], without: null, control }];
    }),
  );
}
