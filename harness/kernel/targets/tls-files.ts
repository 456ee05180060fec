import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { budgets, readForeign, whyUnreadable } from '../core/index.ts';
import { usePath } from '../redaction/index.ts';
import { type Variables, variablesIn, withVariables } from '../wire/index.ts';
import type { Path } from './document.ts';
import type { PemFile, Target, Tls } from './target.ts';

type Report = (path: Path, message: string) => void;

const certificates = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * Adds the contents of the files that `tls` names, relative to the folder of the target file.
 *
 * @param source path of the target file
 * @param report called with each problem of the files
 */
export function withTlsFiles(target: Target, source: string, report: Report): Target {
  const { tls, regions, variables } = target;
  const read = (given: Tls, path: Path): Tls =>
    readTls(given, {
      folder: dirname(source),
      variables,
      report: (at, what) => report([...path, ...at], what),
    });
  return {
    ...target,
    ...(tls === undefined ? {} : { tls: read(tls, ['tls']) }),
    regions: regions.map((region, index) =>
      region.tls === undefined
        ? region
        : { ...region, tls: read(region.tls, ['regions', index, 'tls']) },
    ),
  };
}

interface Where {
  readonly folder: string;
  readonly variables: Variables;
  readonly report: Report;
}

function readTls({ ca, certificate, key, passphrase }: Tls, where: Where): Tls {
  const { report, variables } = where;
  const read = (name: string, file: PemFile | undefined) =>
    file === undefined ? undefined : pemOf(file, [name], where);
  const files = {
    ca: read('ca', ca),
    certificate: read('certificate', certificate),
    key: read('key', key),
  };
  if (files.ca !== undefined) certificatesOf(files.ca, ['ca'], report);
  const own =
    files.certificate === undefined
      ? undefined
      : certificatesOf(files.certificate, ['certificate'], report);
  const isKnown =
    passphrase === undefined ||
    variablesIn(passphrase).every((name) => variables[name] !== undefined);
  const given =
    passphrase === undefined || !isKnown ? undefined : withVariables(passphrase, variables);
  const secret = files.key === undefined || !isKnown ? undefined : keyOf(files.key, given, report);
  if (own?.[0] !== undefined && secret !== undefined && !own[0].checkPrivateKey(secret)) {
    report(['key'], 'This is not the key of `certificate`: they have to belong together.');
  }
  return {
    ...(files.ca === undefined ? {} : { ca: files.ca }),
    ...(files.certificate === undefined ? {} : { certificate: files.certificate }),
    ...(files.key === undefined ? {} : { key: files.key }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

function pemOf({ path }: PemFile, at: Path, { folder, report }: Where): PemFile {
  const problem = usePath('read', resolve(folder, path), `${path} of the target file`);
  if (problem !== null) report(at, problem);
  try {
    return { path, pem: readForeign(resolve(folder, path), budgets.small) };
  } catch (error) {
    const whole = resolve(folder, path);
    report(at, `${whole}: ${whyUnreadable(error)} Paths begin at the folder of the target file.`);
    return { path, pem: '' };
  }
}

function certificatesOf({ pem }: PemFile, at: Path, report: Report): X509Certificate[] {
  if (pem === '') return [];
  try {
    const found = (pem.match(certificates) ?? []).map((one) => new X509Certificate(one));
    if (found.length === 0) throw new Error('none');
    for (const { validTo, subject } of found) {
      if (Date.parse(validTo) >= Date.now()) continue;
      report(
        at,
        `The certificate of ${subject.replace(/\n/g, ', ')} has expired on ${validTo}: put the new one there.`,
      );
    }
    return found;
  } catch {
    report(
      at,
      'This file holds no certificate in PEM: it has to have a line -----BEGIN CERTIFICATE-----.' +
        ' `openssl x509 -inform der -in FILE -out FILE.pem` makes one of a binary file.',
    );
    return [];
  }
}

function keyOf(
  { pem }: PemFile,
  passphrase: string | undefined,
  report: Report,
): KeyObject | undefined {
  if (pem === '') return undefined;
  const isEncrypted = /ENCRYPTED/.test(pem);
  if (isEncrypted && passphrase === undefined) {
    report(['key'], `This key is encrypted: add \`passphrase: \${NAME}\`, and set that variable.`);
    return undefined;
  }
  try {
    return createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    report(
      ['key'],
      isEncrypted
        ? 'This key does not open with `passphrase`.'
        : 'This file holds no private key in PEM: it has to have a line -----BEGIN PRIVATE KEY-----.',
    );
    return undefined;
  }
}
