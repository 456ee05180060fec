import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import {
  clientCertificate,
  clientKey,
  encryptedClientKey,
  expiredCertificate,
  serverKey,
  testAuthority,
} from '../wire/testing-certificates.ts';
import { loadTarget } from './load.ts';
import { shownProxies } from './proxies.ts';
import { routesOf } from './routes.ts';
import { TargetError } from './target-error.ts';

/** A target file with the lines of `tls`, in a folder with the files that tests name. */
function fileWith(tls: string): string {
  const folder = temporaryFolder();
  const files = {
    'ca.pem': testAuthority,
    'me.pem': clientCertificate,
    'me.key': clientKey,
    'locked.key': encryptedClientKey,
    'old.pem': expiredCertificate,
    'other.key': serverKey,
    'text.pem': 'no certificate',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const path = join(folder, 'target.yaml');
  writeFileSync(
    path,
    `regions: [{ name: eu, baseUrl: "https://eu.example/x" }]\nkeys: none\n` +
      `models: [{ id: m, protocols: [chat] }]\ntls: { ${tls} }\n`,
  );
  return path;
}

function problemsOf(tls: string): string[] {
  try {
    loadTarget(fileWith(tls), { OPENS: 'open-sesame-1', WRONG: 'canary-wrong' });
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    expect(error.message).not.toMatch(/canary|sesame|PRIVATE KEY-----\n/);
    return error.problems.map(({ place, field, message }) => `${place?.line} ${field}: ${message}`);
  }
  return [];
}

test('files are read beside the target file, and known by the host', () => {
  const path = fileWith(
    `ca: ca.pem, certificate: me.pem, key: locked.key, passphrase: "\${OPENS}"`,
  );
  const { tls } = routesOf(loadTarget(path, { OPENS: 'open-sesame-1' }));
  expect(tls).toEqual({
    'eu.example': {
      ca: testAuthority,
      certificate: clientCertificate,
      key: encryptedClientKey,
      passphrase: 'open-sesame-1',
    },
  });
});

test.each([
  ['ca: none.pem', /^4 tls.ca: .*none.pem: There is no such file. Paths begin at/],
  ['ca: text.pem', /^4 tls.ca: This file holds no certificate in PEM/],
  ['ca: old.pem', /^4 tls.ca: The certificate of CN=gateway.test has expired on Jan {2}2/],
  ['certificate: me.pem', /^4 tls: `certificate` needs `key`, too/],
  ['certificate: me.pem, key: other.key', /^4 tls.key: This is not the key of `certificate`/],
  ['certificate: me.pem, key: locked.key', /^4 tls.key: This key is encrypted: add `passphrase/],
  [
    `certificate: me.pem, key: locked.key, passphrase: "\${WRONG}"`,
    /^4 tls.key: This key does not open with `passphrase`/,
  ],
  ['certificate: me.pem, key: text.pem', /^4 tls.key: This file holds no private key in PEM/],
  [
    'certificate: me.pem, key: me.key, passphrase: canary-pass',
    /^4 tls.passphrase: A passphrase stands in a variable/,
  ],
])('what is wrong with `%s`', (tls, problem) => {
  const problems = problemsOf(tls);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});

test('a target knows the proxy that it is asked through, and refuses one that is none', () => {
  const path = fileWith('ca: ca.pem');
  const at = (environment: Record<string, string>) => loadTarget(path, environment);
  expect(shownProxies(at({ HTTPS_PROXY: 'http://me:canary@proxy.example:3128' }))).toEqual([
    'http://proxy.example:3128',
  ]);
  expect(at({ HTTP_PROXY: 'http://proxy.example' }).proxies).toBeUndefined();
  expect(at({ HTTPS_PROXY: 'socks5://x', NO_PROXY: 'eu.example' }).proxies).toBeUndefined();
  expect(() => at({ HTTPS_PROXY: 'socks5://me:canary@x' })).toThrow(
    /HTTPS_PROXY\s+This proxy cannot be used: SOCKS proxies are not supported/,
  );
});
