import { asList, asObject, declaredAs } from '../core/index.ts';
import { shortestSought } from '../redaction/index.ts';
import { readPlayed } from './defaults.ts';
import type { Path } from './document.ts';
import { didYouMean } from './nearest.ts';
import type { Quote } from './schema-rules.ts';
import { playedProtocols, provenRefusals } from './target.ts';
import type { Publishers } from './vocabulary.ts';

type Report = (path: Path, message: string) => void;

/** Reports the problems of `providers` and `gateway` that no schema can express. */
export function judgeProviders(
  file: Record<string, unknown>,
  names: Publishers,
  report: Report,
  quote: Quote,
): void {
  const { listen, keys, routes } = asObject(file.providers);
  const listeners = asList(listen).map((one) => asObject(one).name);
  for (const [index, name] of listeners.entries()) {
    if (typeof name !== 'string') continue;
    const path = ['providers', 'listen', index, 'name'];
    if (listeners.indexOf(name) < index) {
      report(path, `A listener named ${quote(name, path)} is already defined above.`);
    }
    if (asObject(keys)[name] === undefined) {
      report(path, `No key is given for this listener: add \`${name}\` under \`providers.keys\`.`);
    }
  }
  const seen = new Map<unknown, string>(
    Object.entries(asObject(file.keys)).map(([name, key]) => [key, `keys.${name}`]),
  );
  for (const [name, key] of Object.entries(asObject(keys))) {
    const path = ['providers', 'keys', name];
    judgeName(name, listeners, path, 'listener', report, quote);
    if (typeof key !== 'string' || key === 'client' || key.startsWith('${')) continue;
    if (key.length < shortestSought) {
      report(
        path,
        `The key has ${key.length} characters. One shorter than ${shortestSought} cannot be masked.`,
      );
    }
    const other = seen.get(key);
    if (other !== undefined) {
      report(
        path,
        `This is the same key as \`${other}\`, so nothing shows who was given which: give another one. ` +
          'A gateway that passes on the key of its client has `client` here.',
      );
    }
    seen.set(key, `providers.keys.${name}`);
  }
  const models = asList(file.models).map((model) => asObject(model).id);
  for (const [index, entry] of asList(routes).entries()) {
    const { model, asks, at } = asObject(entry);
    const path = ['providers', 'routes', index];
    judgeName(model, models, [...path, 'model'], 'model', report, quote);
    for (const [place, name] of asList(at).entries()) {
      judgeName(name, listeners, [...path, 'at', place], 'listener', report, quote);
    }
    if (typeof asks === 'string' && readPlayed(asks, names) === null) {
      const known = playedProtocols.map((protocol) => declaredAs[protocol]).join(', ');
      report(
        [...path, 'asks'],
        `Touchstone plays no provider of ${quote(asks, [...path, 'asks'])}. Known: ${known}.`,
      );
    }
  }
  judgeDeclared(asObject(file.gateway), report, quote);
}

function judgeName(
  name: unknown,
  known: readonly unknown[],
  path: Path,
  what: string,
  report: Report,
  quote: Quote,
): void {
  if (typeof name !== 'string' || known.includes(name)) return;
  const names = known.filter((one) => typeof one === 'string');
  report(
    path,
    `No ${what} is named ${quote(name, path)}.${didYouMean(name, names)} Known: ${names.join(', ')}.`,
  );
}

/** Only a refusal that proves that nothing was generated may be declared as a reason to ask again. */
function judgeDeclared(
  { retries, fallback }: Record<string, unknown>,
  report: Report,
  quote: Quote,
): void {
  const lists: [Path, unknown][] = [
    ...asList(retries).map((one, index): [Path, unknown] => [
      ['gateway', 'retries', index, 'on'],
      asObject(one).on,
    ]),
    [['gateway', 'fallback', 'on'], asObject(fallback).on],
  ];
  for (const [path, on] of lists) {
    for (const [index, reason] of asList(on).entries()) {
      if (typeof reason !== 'string' || provenRefusals.some((one) => one === reason)) continue;
      const at = [...path, index];
      report(
        at,
        `${quote(reason, at)} cannot be declared: a failed or interrupted connection does not prove that the ` +
          'request was not executed, so nobody may send a generation again by itself (INT-3). ' +
          `Known: ${provenRefusals.join(', ')}.`,
      );
    }
  }
}
