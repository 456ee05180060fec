import { assumeAsked, type Join, rule } from '../../harness/features/provider/index.ts';
import { type Exchange, NothingToJudge } from '../../harness/index.ts';
import { conversation, refusals } from './cases.ts';
import { expectThat } from './told.ts';

/** Names of the listeners that the gateway shows a key of its own. */
function ownKeys({ back }: Join): readonly string[] {
  return back.map(({ about }) => about.key).filter((key) => key.startsWith('provider-'));
}

rule(
  'provider/secrets.provider-key',
  refusals,
  (join) => {
    assumeAsked(join);
    if (join.passesKeyOn) {
      throw new NothingToJudge('the target file says that the key is the one of the client');
    }
    const shown = join.front.echoed.filter((name) => name.startsWith('provider-'));
    expectThat(
      shown.length === 0,
      'an answer without the key for the provider',
      `one that shows ${shown.join(', ')}`,
      join.front,
    );
  },
  { name: '401' },
);

rule('provider/secrets.client-key', conversation, (join) => {
  assumeAsked(join);
  if (join.passesKeyOn) {
    throw new NothingToJudge(
      'the target file says that the gateway passes the key of its client on',
    );
  }
  for (const exchange of join.back) {
    const { key, beside } = exchange.about;
    expectThat(
      beside === undefined && ['none', 'unknown', ...ownKeys(join)].includes(key),
      'a request without the key of the client',
      beside === undefined ? `the key ${key}` : `the key in the header ${beside}`,
      exchange,
    );
  }
});

rule('provider/secrets.headers', conversation, (join) => {
  assumeAsked(join);
  const { front, back, word } = join;
  const passed = [
    ...namesWith(front, ['set-cookie', 'x-internal-host']),
    ...back.flatMap((one) =>
      sentHeaders(one).some(([name]) => name === 'cookie') ? ['cookie'] : [],
    ),
  ];
  expectThat(
    passed.length === 0,
    'none of the cookies and internal headers of the other side',
    `${passed.join(', ')} (${word})`,
    front,
  );
});

function namesWith({ response }: Exchange, names: readonly string[]): readonly string[] {
  const told = (response?.headers ?? []).map(([name]) => name.toLowerCase());
  return names.filter((name) => told.includes(name));
}

function sentHeaders({ request }: Exchange): readonly (readonly [string, string])[] {
  return request.headers.map(([name, value]) => [name.toLowerCase(), value]);
}
