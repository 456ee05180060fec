import type { Call } from '../../harness/index.ts';

// Other ways in which a client can name something guarded, or reach a path. A gateway need not know any of them.
// One that does has to guard it as it guards the ordinary way.

/** Changes the path of a request to another spelling of it. */
type PathWay = (path: string) => string;

/** Returns a path with its last fixed segment changed. Segments of stored responses and models stay. */
const inFamily = (change: (segment: string) => string): PathWay => {
  return (path) =>
    path.replace(/^\/(v1\w*)\/(\w+)/, (_, version, name) => {
      return `/${version}/${change(name)}`;
    });
};

export const pathWays: Readonly<Record<string, PathWay>> = {
  'slash-before': (path) => `/${path}`,
  'slashes-within': inFamily((name) => `/${name}`),
  'slash-behind': (path) => `${path}/`,
  'upper-case': (path) => path.replace(/^\/v1\w*\/\w+/, (family) => family.toUpperCase()),
  'capital-letter': inFamily((name) => name.charAt(0).toUpperCase() + name.slice(1)),
  'dot-segment': inFamily((name) => `./${name}`),
  'parent-segment': inFamily((name) => `x/../${name}`),
  'encoded-parent-segment': inFamily((name) => `x/%2e%2e/${name}`),
  'encoded-letter': inFamily((name) => encodedLetters(name.charAt(0)) + name.slice(1)),
  'encoded-slash': (path) => path.replace(/^(\/v1\w*)\//, '$1%2F'),
  'back-slash': (path) => path.replace(/^(\/v1\w*)\//, '$1\\'),
  'parameter-behind': (path) => `${path};a=b`,
  suffix: (path) => `${path}.json`,
  'space-behind': (path) => `${path}%20`,
  'nul-behind': (path) => `${path}%00`,
  'line-behind': (path) => `${path}%0A`,
  'empty-query': (path) => `${path}?`,
};

/** Paths that some servers give to the same endpoint. A list of models may be public there. */
export const aliasWays: Readonly<Record<string, PathWay>> = {
  'version-twice': (path) => path.replace(/^(\/v1\w*)/, '$1$1'),
  'no-version': (path) => path.replace(/^\/v1\w*/, ''),
  'api-before': (path) => `/api${path}`,
};

/** Encodes what a header cannot hold. */
function headerText(value: string): string {
  return value.replace(/[^\x20-\x7e]+/g, encodeURIComponent);
}

function encodedLetters(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Headers in which a gateway may believe a client. */
export const believedHeaders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'bearer-null': { authorization: 'Bearer null' },
  'bearer-undefined': { authorization: 'Bearer undefined' },
  'bearer-alone': { authorization: 'Bearer' },
  'empty-keys': { authorization: '', 'x-api-key': '' },
  'from-loopback': { 'x-forwarded-for': '127.0.0.2', 'x-real-ip': '127.0.0.2' },
  'forwarded-user': { 'x-forwarded-user': 'admin', 'remote-user': 'admin' },
  'inner-request': { 'x-internal': 'true', 'x-internal-request': '1' },
  'other-method': { 'x-http-method-override': 'OPTIONS' },
  'original-url': { 'x-original-url': '/', 'x-rewrite-url': '/' },
  'inner-host': { 'x-forwarded-host': 'localhost' },
  cookie: { cookie: 'session=admin' },
};

/** Names a value in another way. `other` is a value of the same form that does not exist. */
export type ValueWay = (call: Call, value: string, other: string) => Call;

/** Other spellings of a value. */
const spellings: Readonly<Record<string, (value: string) => string>> = {
  'upper-case': (value) => value.toUpperCase(),
  'lower-case': (value) => value.toLowerCase(),
  'space-before': (value) => ` ${value}`,
  'space-behind': (value) => `${value} `,
  'tab-behind': (value) => `${value}\t`,
  'line-behind': (value) => `${value}\n`,
  'nul-behind': (value) => `${value}\u0000`,
  'invisible-letter': (value) => `${value}\u200b`,
  'wide-letter': (value) => value.replace(/[a-z]/i, (letter) => wide(letter)),
  'slash-before': (value) => `/${value}`,
  'slash-behind': (value) => `${value}/`,
  'dot-segment': (value) => `./${value}`,
  'parent-segment': (value) => `x/../${value}`,
  'parameter-behind': (value) => `${value};a=b`,
  encoded: (value) => encodedLetters(value),
  quoted: (value) => `"${value}"`,
  'collection-before': (value) => `models/${value}`,
};

/** Returns the full-width form of an ASCII letter, which NFKC maps back to it. */
function wide(letter: string): string {
  return String.fromCodePoint(letter.charCodeAt(0) + 0xfee0);
}

/** Ways that name an optional value by another type, which a gateway may ignore. */
export const untypedWays: readonly string[] = ['in-list', 'in-object'];

/** Returns the ways to name a value that a member of the body holds. */
export function bodyWays(member: string): Readonly<Record<string, ValueWay>> {
  const set =
    (change: (value: string, other: string) => object): ValueWay =>
    (call, value, other) => ({
      ...call,
      body: { ...Object(call.body), [member]: other, ...change(value, other) },
    });
  const capital = member.charAt(0).toUpperCase() + member.slice(1);
  const spelled = Object.entries(spellings).map(
    ([name, spell]) => [name, set((value) => ({ [member]: spell(value) }))] as const,
  );
  return {
    ...Object.fromEntries(spelled),
    'in-list': set((value) => ({ [member]: [value] })),
    'in-object': set((value) => ({ [member]: { id: value, name: value } })),
    'list-beside': set((value) => ({ [`${member}s`]: [value] })),
    fallbacks: set((value) => ({ fallbacks: [value], route: 'fallback' })),
    'capital-member': set((value) => ({ [capital]: value })),
    'inner-body': set((value) => ({ extra_body: { [member]: value } })),
    metadata: set((value) => ({ metadata: { [member]: value } })),
    ...(member === 'model' ? {} : { conversation: set((id) => ({ conversation: { id } })) }),
    query: (call, value, other) => ({
      ...set(() => ({}))(call, value, other),
      query: { ...call.query, [member]: value },
    }),
    header: (call, value, other) => ({
      ...set(() => ({}))(call, value, other),
      headers: { ...call.headers, [`x-${member.replaceAll('_', '-')}`]: headerText(value) },
    }),
  };
}

function asked(name: string, as: string): ValueWay {
  return (call) => ({ ...call, query: { ...call.query, [name]: as } });
}

/** Returns the ways to name a value that the path holds, as the `member` of other places. */
export function segmentWays(member: string): Readonly<Record<string, ValueWay>> {
  const inPath =
    (spell: (value: string) => string): ValueWay =>
    (call, value) => ({
      ...call,
      path: call.path.replace(encodeURIComponent(value), () => spell(value)),
    });
  const other: ValueWay = (call, value, beside) =>
    inPath(() => encodeURIComponent(beside))(call, value, beside);
  const spelled = Object.entries(spellings).flatMap(([name, spell]) => [
    [name, inPath((value) => encodeURIComponent(spell(value)))] as const,
  ]);
  return {
    ...Object.fromEntries(spelled),
    'letters-encoded': inPath(encodedLetters),
    'encoded-twice': inPath((value) => encodeURIComponent(encodedLetters(value))),
    'raw-dot-segment': inPath((value) => `./${encodeURIComponent(value)}`),
    'raw-parent-segment': inPath((value) => `x/../${encodeURIComponent(value)}`),
    'raw-slash-before': inPath((value) => `/${encodeURIComponent(value)}`),
    query: (call, value, beside) => ({
      ...other(call, value, beside),
      query: { ...call.query, [member]: value, id: value },
    }),
    ...(member === 'model' ? {} : { 'stream-spelled': asked('stream', 'True') }),
    'body-beside': (call, value, beside) => ({
      ...other(call, value, beside),
      ...(call.body === undefined ? {} : { body: { ...Object(call.body), [member]: value } }),
    }),
    header: (call, value, beside) => ({
      ...other(call, value, beside),
      headers: { ...call.headers, [`x-${member.replaceAll('_', '-')}`]: headerText(value) },
    }),
  };
}

/** Returns every `parts`-th way, from the `part`-th, so that several requests share them. */
export function shareOf<Way>(
  ways: Readonly<Record<string, Way>>,
  part: number,
  parts: number,
): readonly (readonly [name: string, way: Way])[] {
  return Object.entries(ways).filter((_, n) => n % parts === part);
}
