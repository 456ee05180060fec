import {
  type Ask,
  answerText,
  askedLimit,
  asks,
  candidateCount,
  countingText,
  type Exchange,
  each,
  type Fields,
  type Io,
  isRefused,
  type Model,
  merged,
  over,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  streamOver,
  type Target,
} from '../../harness/index.ts';
import { generation } from '../scenarios/generations/generation-calls.ts';
import { speakers } from '../scenarios/requests/models.ts';

/** Exchanges by which one requested feature is judged. */
interface AskedFor {
  readonly model: Model;
  /** Answers to requests for it: in one body, and as a stream if the model streams. */
  readonly answers: readonly Exchange[];
  /** A request of the same text that does not ask for it. */
  readonly without: Exchange | null;
  /** Answer to the same text alone; null if no request was refused. */
  readonly control: Exchange | null;
}

/**
 * Asks for everything that a request can ask for besides a text, all at once. If that is refused, each
 * feature is asked for alone, because a gateway may offer one and not another. A stop sequence is always
 * asked for alone, because it would end the text of another feature.
 */
export const askedFor = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/asked/${protocol}`,
    {
      needs: { model: { speaks: protocol } },
      cost: (target) => {
        const groups = groupsAt(target, protocol);
        const sum = (count: (group: Group) => number): number =>
          groups.reduce((so, group) => so + count(group), 0);
        const [generations, fallback] = [sum((one) => formsOf(one, protocol)), sum(alone)];
        const several = protocolModules[protocol].asking.fields.candidates !== null;
        const outputTokens = askedLimit * (several ? candidateCount : 1);
        return { requests: generations + fallback, generations, fallback, outputTokens, chain: 2 };
      },
    },
    async (io) => {
      const groups = groupsAt(io.target, protocol);
      const answers = await Promise.all(groups.map((group) => askTogether(group, protocol, io)));
      return new Map(answers.flat());
    },
  ),
);

/** Features that one request to a model asks for. */
interface Group {
  readonly model: Model;
  readonly asks: readonly Ask[];
}

function groupsAt(target: Target, protocol: StreamingProtocol): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const ask of asks) {
    const model = modelFor(target, protocol, ask);
    if (model === null || protocolModules[protocol].asking.fields[ask] === null) continue;
    const name = `${ask === 'stop'} ${model.id}`;
    groups.set(name, { model, asks: [...(groups.get(name)?.asks ?? []), ask] });
  }
  return [...groups.values()];
}

/** Returns a model that declares the capability, else one that may have it. */
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

/** All of it together: in one body, and in a second form where there is one. */
function formsOf({ model, asks }: Group, protocol: StreamingProtocol): number {
  return streams(model, protocol) || withoutImages(asks).length < asks.length ? 2 : 1;
}

function streams({ supports }: Model, protocol: StreamingProtocol): boolean {
  return supports.includes(streamOver(protocol));
}

/**
 * Returns the requests that are needed if that is refused: each feature alone in both forms, and one
 * without any.
 */
function alone({ asks }: Group): number {
  const each = (count: number): number => (count > 1 ? count : 0);
  return 1 + each(asks.length) + each(withoutImages(asks).length);
}

/** An image goes in one form only: the other shows what the same costs without it. */
function withoutImages(asks: readonly Ask[]): readonly Ask[] {
  return asks.filter((ask) => ask !== 'images');
}

async function askTogether(
  { model, asks }: Group,
  protocol: StreamingProtocol,
  io: Io,
): Promise<readonly (readonly [Ask, AskedFor])[]> {
  const { stream, asking } = protocolModules[protocol];
  const text = asks.includes('stop') ? countingText : answerText;
  const body = (some: readonly Ask[]): Fields =>
    merged(
      generation[protocol].asking(text, askedLimit),
      ...some.map((ask) => asking.fields[ask]?.(text) ?? {}),
    );
  const lane = (form: string, some: readonly Ask[]): Io =>
    io.lane([asks[0], form, ...some].join('-'));
  const inBody = (some: readonly Ask[]): Promise<Exchange> =>
    lane('body', some).generate(protocol, body(some), { model: model.id });
  const inStream = (some: readonly Ask[]): Promise<Exchange> =>
    lane('stream', some).generateStream(
      protocol,
      { ...body(some), ...stream.askingForUsage },
      { model: model.id },
    );

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
