import { asObject } from '../core/index.ts';
import { isSecretName } from '../redaction/index.ts';
import { type Variables, variablesIn, withVariables } from '../wire/index.ts';
import type { Path } from './document.ts';
import type { Publishers } from './vocabulary.ts';

/** Headers that the connection determines, and hop-by-hop headers. */
const ofTheConnection =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|sec-websocket-.*)$/;

/**
 * Headers that checks are about, each with the reason why a target file must not set it. The target file names the
 * credential headers.
 */
const judged: Readonly<Record<string, string>> = {
  'content-type': 'it says how the body is written',
  'content-encoding': 'it says how the body is written',
  accept: 'it says what a response may be',
  'accept-encoding': 'it says how a response may be written',
  'x-client-request-id': 'by it a ledger finds a request',
  authorization: 'it is a credential header: keys go under `keys`',
  'x-api-key': 'it is a credential header: keys go under `keys`',
};

type Report = (path: Path, message: string) => void;

export function judgeHeaders(
  file: Record<string, unknown>,
  names: Publishers,
  variables: Variables,
  report: Report,
): void {
  const taken = new Map(Object.entries(judged));
  const credential = judged.authorization ?? '';
  taken.set(`x-${names.vendorB}-api-key`.toLowerCase(), credential);
  taken.set(`${names.vendorA}-version`.toLowerCase(), 'its value stands under `versionDate`');
  for (const name of Object.values(asObject(file.credentials))) {
    if (typeof name === 'string') taken.set(name.toLowerCase(), credential);
  }
  for (const [path, headers] of headersIn(file)) {
    const seen = new Set<string>();
    for (const [name, value] of Object.entries(headers)) {
      const at = [...path, name];
      const lower = name.toLowerCase();
      const why = ofTheConnection.test(lower) ? 'it belongs to the connection' : taken.get(lower);
      if (why !== undefined) {
        report(at, `The header \`${name}\` is what checks are about: ${why}. Leave it out here.`);
      } else if (seen.has(lower)) {
        report(at, `The header \`${name}\` is given twice: names differ by more than case.`);
      } else if (typeof value === 'string') judgeValue(value, at, variables, report);
      seen.add(lower);
    }
  }
}

function judgeValue(value: string, at: Path, variables: Variables, report: Report): void {
  if (variablesIn(value).some((name) => variables[name] === undefined)) return;
  const whole = withVariables(value, variables);
  if (whole !== whole.trim() || !/^[\x20-\x7e\x80-\xff]+$/.test(whole)) {
    report(
      at,
      'The value is empty, begins or ends with a space, or holds a character that a header cannot carry.',
    );
  }
}

/** Every map of custom headers with its path. The rest of the file may be invalid. */
function headersIn(file: Record<string, unknown>): [Path, Record<string, unknown>][] {
  const of = (value: unknown, path: Path): [Path, Record<string, unknown>][] => {
    const { headers, protocols } = asObject(value);
    return [
      [[...path, 'headers'], asObject(headers)],
      ...Object.entries(asObject(protocols)).map(
        ([name, place]): [Path, Record<string, unknown>] => [
          [...path, 'protocols', name, 'headers'],
          asObject(asObject(place).headers),
        ],
      ),
    ];
  };
  const regions = Array.isArray(file.regions) ? file.regions : [];
  return [
    ...of(file, []),
    ...regions.flatMap((region, index) => of(region, ['regions', index])),
    [['probes', 'headers'], asObject(asObject(file.probes).headers)],
  ];
}

/**
 * Makes custom headers safe to show. A literal value under a secret name becomes a variable, as if it came from the
 * environment.
 *
 * @param variables receives the values of such variables
 */
export function showable<T extends Readonly<Record<string, string>> | undefined>(
  headers: T,
  variables: Record<string, string>,
): T {
  if (headers === undefined) return headers;
  const lines = Object.entries(headers).map(([name, value]) => {
    if (!isSecretName(name) || variablesIn(value).length > 0) return [name, value];
    const words = name.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
    let called = `TOUCHSTONE_HEADER_${words}`;
    for (let n = 2; variables[called] !== undefined && variables[called] !== value; n++) {
      called = `TOUCHSTONE_HEADER_${words}_${n}`;
    }
    variables[called] = value;
    return [name, `\${${called}}`];
  });
  return Object.fromEntries(lines);
}
