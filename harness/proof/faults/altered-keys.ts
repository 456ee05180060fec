import type { Call } from '../../reference/call.ts';
import { admit, decide } from '../decisions.ts';
import type { Fault } from './fault.ts';

// Keys that are not compared whole, and keys that are looked for once more.

const dialects = [
  'responses',
  'chat-completions',
  'messages',
  'generative',
  'systemone',
] as const satisfies readonly Call['dialect']['name'][];

/** Comparisons that do not look at all of a key. */
const sloppy: Readonly<
  Record<string, readonly [what: string, same: (shown: string, key: string) => boolean]>
> = {
  changed: [
    'looks at all of a key but its last character',
    (shown, key) => shown.length === key.length && shown.slice(0, -1) === key.slice(0, -1),
  ],
  longer: ['takes whatever begins with a key', (shown, key) => shown.startsWith(key)],
  shorter: [
    'takes a key that is cut',
    (shown, key) => shown.length > key.length / 2 && key.startsWith(shown),
  ],
  'other-case': [
    'takes a key in any letter case',
    (shown, key) => shown.toLowerCase() === key.toLowerCase(),
  ],
};

function almost(dialect: Call['dialect']['name'], miss: string): Fault {
  const [what = '', same = () => false] = sloppy[miss] ?? [];
  return {
    id: `auth.key-${miss}-${dialect}`,
    what: `${dialect} ${what}.`,
    breaks: [`access/credentials.altered-key-refused:${dialect}.${miss}`],
    override: decide(
      'keyFor',
      (native) => (secret, call) =>
        native(secret, call) ??
        (call.dialect.name === dialect && secret !== undefined
          ? call.gateway.keys.find((key) => same(secret, key.secret))
          : undefined),
    ),
  };
}

/** Who shows a header with nothing in it is taken for the first user. */
function nothing(dialect: Call['dialect']['name']): Fault {
  return {
    id: `auth.key-empty-${dialect}`,
    what: `${dialect} serves a request whose credential header shows no key.`,
    breaks: [`access/credentials.altered-key-refused:${dialect}.empty`],
    override: admit((_secret, call) => {
      const { header } = call.dialect.credential(call.gateway);
      const shown = String(call.headers[header.toLowerCase()]).trim();
      return call.dialect.name === dialect && /^(bearer)?$/i.test(shown);
    }),
  };
}

const headers = ['bearer', 'x-api-key', 'vendorb-api-key'] as const;

/** A second look: where the own header shows no key that there is, those of the others are tried. */
function secondLook(
  dialect: 'responses' | 'messages' | 'generative',
  header: (typeof headers)[number],
): Fault {
  return {
    id: `auth.second-look-${dialect}-${header}`,
    what: `Where its own header shows a key that does not exist, ${dialect} looks at ${header}, too.`,
    breaks: [`access/credentials.own-header-decides:${dialect}.${header}`],
    override: (seams) =>
      decide('keyFor', (native) => (secret, call) => {
        const key = native(secret, call);
        if (key !== undefined || secret === undefined || call.dialect.name !== dialect) return key;
        const place = {
          bearer: { header: 'authorization', scheme: 'Bearer' },
          'x-api-key': { header, scheme: null },
          'vendorb-api-key': {
            header: `x-${call.gateway.names.vendorB}-api-key`.toLowerCase(),
            scheme: null,
          },
        }[header];
        return native(seams.policy.credential(place, call), call);
      })(seams),
  };
}

const ownHeader = { responses: 'bearer', messages: 'x-api-key', generative: 'vendorb-api-key' };

export const alteredKeyFaults: readonly Fault[] = [
  ...dialects.flatMap((dialect) => [
    ...Object.keys(sloppy).map((miss) => almost(dialect, miss)),
    nothing(dialect),
  ]),
  ...(['responses', 'messages', 'generative'] as const).flatMap((dialect) =>
    headers
      .filter((header) => header !== ownHeader[dialect])
      .map((header) => secondLook(dialect, header)),
  ),
];
