import type { HeaderLines } from '../core/index.ts';

/**
 * Headers that the usual client of a protocol sends. They identify the caller, and do not depend on the content of
 * the request.
 */
export interface UsualClient {
  /**
   * Headers in their order on the wire, after `host` and `connection`. A name without a value marks the place of a
   * header that the request sets, and is left out if the request does not.
   */
  headers(caller: Caller): readonly HeaderPlace[];
}

type HeaderPlace = string | readonly [name: string, value: string];

/** Values by which these headers differ between users. */
interface Caller {
  /** Random number, drawn once per run. */
  readonly draw: number;
  readonly secure: boolean;
}

/** Place of all headers that are not listed. */
const others = '…';

const machines = [
  ['Linux', 'x64'],
  ['MacOS', 'arm64'],
  ['Linux', 'arm64'],
] as const;

const runtimes = ['v20.20.2', 'v22.23.3', 'v22.21.1'] as const;

/** Headers that Node's `fetch` adds after the given ones. */
function addedByFetch({ secure }: Caller): readonly HeaderPlace[] {
  return [
    ['accept-language', '*'],
    ['sec-fetch-mode', 'cors'],
    ['accept-encoding', secure ? 'br, gzip, deflate' : 'gzip, deflate'],
  ];
}

/** @param of number of variants that earlier draws have used up */
function drawn<All extends readonly [unknown, ...unknown[]]>(
  all: All,
  { draw }: Caller,
  of = 1,
): All[number] {
  return all[Math.floor(draw / of) % all.length] ?? all[0];
}

/** A program that uses Node's `fetch` directly. */
export const fetchClient: UsualClient = {
  headers: (caller) => [
    'content-type',
    'authorization',
    others,
    'accept',
    ['user-agent', 'node'],
    ...addedByFetch(caller),
  ],
};

/** The official clients of OpenAI, as observed on the wire with openai 6.49.0. */
export const openaiClient: UsualClient = {
  headers: (caller) => {
    const version = drawn(['6.49.0', '6.48.0', '6.45.0'] as const, caller);
    const [os, arch] = drawn(machines, caller, 3);
    return [
      'accept',
      ['user-agent', `OpenAI/JS ${version}`],
      ['x-stainless-retry-count', '0'],
      ['x-stainless-lang', 'js'],
      ['x-stainless-package-version', version],
      ['x-stainless-os', os],
      ['x-stainless-arch', arch],
      ['x-stainless-runtime', 'node'],
      ['x-stainless-runtime-version', drawn(runtimes, caller, 9)],
      'authorization',
      others,
      'content-type',
      ...addedByFetch(caller),
    ];
  },
};

/** The official client of Anthropic, as observed on the wire with @anthropic-ai/sdk 1.11.0. */
export const anthropicClient: UsualClient = {
  headers: (caller) => {
    const version = drawn(['1.11.0', '1.10.0', '1.9.0'] as const, caller);
    const [os, arch] = drawn(machines, caller, 3);
    return [
      'Accept',
      ['User-Agent', `Anthropic/JS ${version}`],
      ['X-Stainless-Retry-Count', '0'],
      ['X-Stainless-Timeout', '600'],
      ['X-Stainless-Lang', 'js'],
      ['X-Stainless-Package-Version', version],
      ['X-Stainless-OS', os],
      ['X-Stainless-Arch', arch],
      ['X-Stainless-Runtime', 'node'],
      ['X-Stainless-Runtime-Version', drawn(runtimes, caller, 9)],
      others,
      'content-type',
      ...addedByFetch(caller),
    ];
  },
};

/** The official client of Google, as observed on the wire with @google/genai 2.32.0. */
export const googleClient: UsualClient = {
  headers: (caller) => {
    const client = `google-genai-sdk/2.32.0 gl-node/${drawn(runtimes, caller, 9)}`;
    return [
      ['User-Agent', client],
      ['x-goog-api-client', client],
      'Content-Type',
      others,
      'accept',
      ...addedByFetch(caller),
    ];
  },
};

/**
 * Arranges the headers of a request in the order and letter case of its usual client, and adds the headers that
 * only this client has.
 */
export function asUsual(own: HeaderLines, client: UsualClient, caller: Caller): HeaderLines {
  const places = client.headers(caller);
  const given = new Map(own.map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  const named = new Set(places.map((place) => nameOf(place).toLowerCase()));
  return places.flatMap((place) => {
    if (place === others) return own.filter(([name]) => !named.has(name.toLowerCase()));
    const name = nameOf(place);
    const value =
      given.get(name.toLowerCase())?.[1] ?? (typeof place === 'string' ? null : place[1]);
    return value === null ? [] : [[name, value] as const];
  });
}

function nameOf(place: HeaderPlace): string {
  return typeof place === 'string' ? place : place[0];
}
