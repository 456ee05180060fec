import { expect, test } from 'vitest';
import type { Exchange, Peer, PeerTls } from '../../kernel/core/exchange.ts';
import { answered } from '../../kernel/engine/testing.ts';
import { provenanceOf } from '../../kernel/recordings/provenance-log.ts';
import type { Recording, RecordingHeader } from '../../kernel/recordings/recording.ts';
import { clocksInWords, connectionInWords } from '../../kernel/report/provenance.ts';
import { withDefaults } from '../../kernel/targets/defaults.ts';
import { knownAuthorities } from '../../kernel/wire/certificates.ts';
import { peerId } from '../../kernel/wire/peer.ts';
import {
  expiredCertificate,
  serverCertificate,
  testAuthority,
} from '../../kernel/wire/testing-certificates.ts';
import { certifyingObstacles, provenanceProblems } from './provenance.ts';
import { isOfStranger } from './summary.ts';

const startedAt = '2026-11-24T12:00:00.000Z';
const now = Date.parse('2026-11-24T13:00:00.000Z');
const der = (pem: string): string => pem.replace(/-----.*-----|\n/g, '');
const good: PeerTls = {
  protocol: 'TLSv1.3',
  verified: true,
  trusts: 'target-file',
  chain: [serverCertificate, testAuthority].map(der),
};

function peer(fields: Partial<Omit<Peer, 'id'>> = {}): Peer {
  const facts = { host: 'gateway.test', address: '203.0.113.5', tls: good, ...fields };
  return { id: peerId(facts), ...facts };
}

function target(...urls: readonly string[]) {
  const regions = urls.map((baseUrl, at) => ({ name: at === 0 ? 'here' : `r${at}`, baseUrl }));
  return withDefaults({ regions, keys: { owner: 'a-key-of-the-owner' }, models: [] }, 'staging');
}

function exchange(fields: Partial<Exchange> = {}, url = 'https://gateway.test/v1'): Exchange {
  const sent = answered('{}', { peer: peer(), ...fields });
  return { ...sent, request: { ...sent.request, url } };
}

function recording(exchanges: readonly Exchange[], ...urls: readonly string[]): Recording {
  const header: RecordingHeader = {
    ...{ format: 'gateway-touchstone/recording', version: 2, suiteVersion: '1', catalogue: 'c' },
    ...{ startedAt, seed: 1, runId: 'r', strict: false, filters: [] },
    target: target(...(urls.length === 0 ? ['https://gateway.test/api'] : urls)),
  };
  return { header, exchanges, sessions: [], cut: false };
}

const here = peer({ host: 'localhost:8080', address: '127.0.0.1', tls: null });

test.each<[string, Recording]>([
  ['over TLS', recording([exchange()])],
  [
    'at loopback',
    recording([exchange({ peer: here }, 'http://localhost:8080/v1')], 'http://localhost:8080'),
  ],
  ['without an answer', recording([exchange({ response: null, peer: undefined as never })])],
])('nothing is wrong %s', (_, run) => {
  expect(provenanceProblems(run, now)).toEqual([]);
});

const { peer: _, ...alone } = exchange();
const tls = (fields: Partial<PeerTls>) => exchange({ peer: peer({ tls: { ...good, ...fields } }) });
const plain = peer({ tls: null });

test.each<[string, Exchange, RegExp]>([
  ['with nobody', alone, /does not say with whom the exchange test#main\/0 was/],
  [
    'elsewhere',
    exchange({}, 'https://other.test/v1'),
    /was with other.test, which is not of the region here/,
  ],
  [
    'with another',
    exchange({ peer: peer({ host: 'other.test' }) }),
    /was with other.test, and not/,
  ],
  ['without TLS', exchange({ peer: plain }), /was not over TLS, unlike its address/],
  ['not verified', tls({ verified: false }), /certificate of gateway.test was not verified/],
  ['for another host', tls({ chain: [der(testAuthority)] }), /is for another host/],
  ['expired', tls({ chain: [der(expiredCertificate), der(testAuthority)] }), /did not hold at the/],
  ['of two chains', tls({ chain: [der(serverCertificate), der(serverCertificate)] }), /not of one/],
  ['no certificate', tls({ chain: ['AAAA'] }), /cannot be read/],
])('an exchange %s is found', (_name, odd, problem) => {
  expect(provenanceProblems(recording([exchange(), odd]), now)).toEqual([
    expect.stringMatching(problem),
  ]);
});

test('a name that was resolved to this machine, over plain HTTP', () => {
  const resolved = peer({ host: 'gw.vendor.example', address: '127.0.0.1', tls: null });
  const run = [exchange({ peer: resolved }, 'http://gw.vendor.example/v1')];
  expect(provenanceProblems(recording(run, 'http://gw.vendor.example'), now)).toEqual([
    'gw.vendor.example was asked over plain HTTP, where anybody may answer',
  ]);
});

function dated(date: string): Exchange {
  const sent = exchange();
  const response = sent.response && { ...sent.response, headers: [['Date', date] as const] };
  return { ...sent, response };
}

test('a run under another date is found by the dates of the gateway, and a future one by ours', () => {
  const right = [dated('Tue, 24 Nov 2026 12:00:00 GMT'), exchange()];
  expect(provenanceProblems(recording(right), now)).toEqual([]);
  const redated = [dated('Mon, 23 Nov 2026 12:00:00 GMT')];
  expect(provenanceProblems(recording(redated), now)).toEqual([
    expect.stringMatching(/the clock of gateway.test was 86400 s behind that of the run/),
  ]);
  const early = Date.parse('2026-11-24T11:00:00Z');
  expect(provenanceProblems(recording([exchange()]), early)).toEqual([
    expect.stringMatching(/ended at 2026-11-24T12:00:00.002Z, which is to come/),
  ]);
  const old = recording([exchange()]);
  const before = { ...old, header: { ...old.header, startedAt: '2020-05-05T00:00:00.000Z' } };
  expect(provenanceProblems(before, now)).toContainEqual(
    expect.stringMatching(/^it was made at 2020-05-05T00:00:00.000Z, and the suite is of /),
  );
});

test('what is not certified, before anything is sent', () => {
  const plainAt = target('https://gateway.test', 'http://10.0.0.7:8080', 'http://127.0.0.2:1');
  expect(certifyingObstacles(plainAt, {}, now)).toEqual([
    expect.stringMatching(
      /^http:\/\/10.0.0.7:8080 \(region r1\) is plain HTTP: .* https:\/\/ address/,
    ),
  ]);
  const secure = target('https://gateway.test');
  expect(certifyingObstacles(secure, { NODE_TLS_REJECT_UNAUTHORIZED: '1' }, now)).toEqual([]);
  expect(certifyingObstacles(secure, { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, now)).toEqual([
    expect.stringMatching(/switches the verification of certificates off: unset it/),
  ]);
  expect(certifyingObstacles(secure, {}, Date.parse('2001-01-01'))).toEqual([
    expect.stringMatching(
      /^The clock of this machine says 2001-01-01T00:00:00.000Z, and the suite/,
    ),
  ]);
});

test('a chain that claims an authority which everybody trusts, and shows another, is named', () => {
  const [claimed] = provenanceOf([tls({ trusts: 'system' })], startedAt)?.connections ?? [];
  const [own] = provenanceOf([tls({})], startedAt)?.connections ?? [];
  expect([claimed, own].map((one) => one !== undefined && isOfStranger(one))).toEqual([
    true,
    false,
  ]);
  const known = claimed?.tls?.chain.at(-1);
  if (claimed?.tls === undefined || known === undefined) throw new Error('It shows none');
  const [spkiSha256 = ''] = knownAuthorities();
  const chain = [{ ...known, spkiSha256 }];
  expect(isOfStranger({ ...claimed, tls: { ...claimed.tls, chain } })).toBe(false);
});

test('a report says with whom exchanges were, once for each host and certificate', () => {
  const further = exchange({ peer: peer({ address: '10.0.0.9' }) });
  const seen = provenanceOf([exchange(), further, exchange({ peer: here })], startedAt);
  expect(seen?.connections.map(connectionInWords)).toEqual([
    expect.stringMatching(
      /^gateway.test at 10.0.0.9 \(a private network\), 203.0.113.5, TLSv1.3, verified, CN=gateway.test until 2126-10-30, key SHA-256 [0-9a-f]{64}, by CN=Test Authority, an authority of the target file/,
    ),
    'localhost:8080 at 127.0.0.1 (the machine of the run), plain HTTP',
  ]);
  expect(provenanceOf([alone], startedAt)).toBeUndefined();
  expect(clocksInWords([{ host: 'a', aheadSeconds: 29 }])).toEqual([]);
  expect(clocksInWords([{ host: 'a', aheadSeconds: -30 }])).toEqual([
    'that of a was 30 s behind ours',
  ]);
});
