import {
  assumeServed,
  type Call,
  checkEach,
  type EndpointName,
  type Exchange,
  each,
  expect,
  expectValue,
  type Io,
  isRefused,
  NothingToJudge,
  type Protocol,
  present,
  protocolModules,
  protocols,
  type RequirementOver,
  type StreamingProtocol,
  scenario,
  text,
} from '../../harness/index.ts';
import { baseline, limitOf } from '../scenarios/baselines.ts';
import { otherForm } from '../scenarios/generations/system-prompts.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { expectNotServed } from '../scenarios/requests/accepted-requests.ts';
import {
  type BadBodies,
  badBodies,
  withLimit,
  withMember,
} from '../scenarios/requests/bad-bodies.ts';

bodyRefused('input/requests.malformed-json', ({ malformedJson }) => malformedJson);

function bodyRefused(
  requirement: RequirementOver<EndpointName>,
  pick: (captured: BadBodies) => Exchange,
): void {
  checkEach(requirement, (endpoint: EndpointName) => ({
    on: badBodies[endpoint],
    judge: (captured) => expect(pick(captured)).toBeRefused({ control: captured.control }),
  }));
}

bodyRefused('input/requests.empty-body', ({ empty }) => empty);

bodyRefused('input/requests.not-an-object', ({ noObject }) => noObject);

checkEach('input/requests.wrong-types', (endpoint: EndpointName) => ({
  on: badBodies[endpoint],
  judge: ({ control, wrongTypes }, { target }) => {
    if (control.about.protocol === 'systemone' && target.systemone.dialect !== 'public') {
      throw new NothingToJudge('The target file gives a body of its own for System One');
    }
    for (const attempt of wrongTypes) expectNotServed(attempt, [control]);
  },
}));

/** Input that a gateway may take or refuse, and must not break on. */
interface HardInput {
  readonly control: Exchange;
  /** Null where the protocol has no output limit. */
  readonly negativeLimit: Exchange | null;
  readonly hugeLimit: Exchange | null;
  readonly deepNesting: Exchange;
  readonly oddUnicode: Exchange;
  readonly oversizedId: Exchange;
  readonly unknownPath: Exchange;
  readonly wrongMethod: Exchange;
  /** Bodies with a required member replaced by something that it cannot be, drawn by the seed. */
  readonly mutated: readonly Exchange[];
}

/** A lone surrogate, NUL, and a character beyond the basic plane. */
const oddText = 'a\ud800b\u0000c\u{1f600}';

const hardInput = each(protocols, (protocol: Protocol) => {
  const name = mainEndpoint[protocol];
  const { input: member, text, textValue, outputLimit } = protocolModules[protocol].request;
  return scenario(
    `input/requests/hard/${protocol}`,
    {
      hostile: 'input',
      after: { baseline: baseline[name] },
      cost: { requests: 15, generations: 3, refused: 12, chain: 1, outputTokens: null },
    },
    async (io, { baseline: { baseline: control, input } }): Promise<HardInput> => {
      const send = (change: (call: Call) => Call): Promise<Exchange> =>
        io.ask(name, { input, change });
      const limited = (limit: number): Promise<Exchange | null> =>
        outputLimit === null
          ? Promise.resolve(null)
          : send((call) => withLimit(call, outputLimit, limit));
      const mutations = Array.from({ length: 8 }, () => mutation(io, member));
      const [
        negativeLimit,
        hugeLimit,
        deepNesting,
        oddUnicode,
        oversizedId,
        unknownPath,
        wrongMethod,
        ...mutated
      ] = await Promise.all([
        limited(-1),
        limited(1e308),
        send(nested),
        send((call) => withMember(call, text, textValue(`${oddText}${io.topic()}`))),
        io.ask(name, { input, model: 'x'.repeat(8_000) }),
        send((call) => ({
          ...call,
          path: call.path.replace(/^\/(v1(?:beta)?)\/.*/, '/$1/no-such-path'),
        })),
        send((call) => ({ ...call, method: 'PUT' })),
        ...mutations.map(send),
      ]);
      return {
        control,
        negativeLimit,
        hugeLimit,
        deepNesting,
        oddUnicode,
        oversizedId,
        unknownPath,
        wrongMethod,
        mutated,
      };
    },
  );
});

/** One wrong value in the place of the input, such as no gateway can make sense of. */
function mutation({ random, topic }: Io, member: string): (call: Call) => Call {
  const value = random(({ datatype, helpers, number, string }) =>
    helpers.arrayElement<unknown>([
      number.int({ min: -1_000, max: 1_000 }),
      number.float(),
      datatype.boolean(),
      [number.int(), string.sample()],
      [[topic()]],
      [{ role: topic(), content: number.int() }],
      { [string.sample()]: topic() },
    ]),
  );
  return (call) => withMember(call, member, value);
}

/** An unknown member of 10 000 nested arrays. */
function nested(call: Call): Call {
  const good = JSON.stringify(call.body);
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  return { ...call, body: `${good.slice(0, -1)},"touchstone_unknown":${deep}}` };
}

hardRefused('input/requests.negative-limit', ({ negativeLimit }) => negativeLimit);

function hardRefused(
  requirement: RequirementOver<Protocol>,
  pick: (captured: HardInput) => Exchange | null,
): void {
  checkEach(requirement, (protocol: Protocol) => ({
    on: hardInput[protocol],
    judge: (captured) =>
      expect(present(pick(captured), requirement)).toBeRefused({ control: captured.control }),
  }));
}

hardRefused('input/requests.oversized-id', ({ oversizedId }) => oversizedId);

hardRefused('input/requests.unknown-path', ({ unknownPath }) => unknownPath);

hardRefused('input/requests.wrong-method', ({ wrongMethod }) => wrongMethod);

survived('input/requests.huge-numbers', ({ hugeLimit }) => [hugeLimit]);

/** 2xx or 4xx, and nothing else. */
function survived(
  requirement: RequirementOver<Protocol>,
  pick: (captured: HardInput) => readonly (Exchange | null)[],
): void {
  checkEach(requirement, (protocol: Protocol) => ({
    on: hardInput[protocol],
    judge: (captured) => {
      for (const exchange of pick(captured)) {
        expect(present(exchange, requirement)).toBeAnswered();
      }
    },
  }));
}

survived('input/requests.deep-nesting', ({ deepNesting }) => [deepNesting]);

survived('input/requests.unusual-unicode', ({ oddUnicode }) => [oddUnicode]);

survived('input/requests.mutated-body', ({ mutated }) => mutated);

/** A good request, when all the bad input has been answered. */
const afterwards = each(protocols, (protocol: Protocol) => {
  const name = mainEndpoint[protocol];
  return scenario(
    `input/requests/afterwards/${protocol}`,
    {
      after: { hard: hardInput[protocol], bodies: badBodies[name] },
      cost: { requests: 1, generations: 1, ...limitOf(name) },
    },
    async (
      { ask },
      { hard: { control, mutated, ...hard }, bodies: { control: _, ...bodies } },
    ) => ({
      control,
      bad: [...Object.values(bodies).flat(), ...Object.values(hard), ...mutated].filter(
        (exchange) => exchange !== null,
      ),
      afterwards: await ask(name),
    }),
  );
});

const html = /<html|<!doctype/i;
/** In JSON the line ends of a trace are escaped. */
const trace = /(?:\n|\\n)\s+at .+:\d+:\d+|Traceback \(most recent/;

checkEach('input/requests.no-stack-trace', (protocol: Protocol) => ({
  on: afterwards[protocol],
  judge: ({ bad }) => {
    for (const exchange of bad) {
      const body = text(exchange);
      const shown = body.ok ? body.value : '';
      expectValue(shown, { as: 'the answer', of: exchange }).toBe(
        'no HTML, and without a stack trace',
        () => !html.test(shown) && !trace.test(shown),
      );
    }
  },
}));

checkEach('input/requests.serves-afterwards', (protocol: Protocol) => ({
  on: afterwards[protocol],
  judge: ({ afterwards, control }) => {
    assumeServed(control);
    expect(afterwards).toBeServed();
  },
}));

checkEach('input/requests.equivalent-forms', (protocol: StreamingProtocol) => ({
  on: otherForm[protocol],
  judge: ({ prompted, other }) => {
    if (isRefused(prompted)) throw new NothingToJudge('the model takes no system prompt');
    assumeServed(prompted);
    expect(other).toBeServed();
  },
}));
