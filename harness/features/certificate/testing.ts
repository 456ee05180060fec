import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckResult, countsOf, type RunResult } from '../../kernel/core/result.ts';
import { idFrom } from '../../kernel/core/testing.ts';
import { runVerdict } from '../../kernel/core/verdict.ts';
import { clientRequestId } from '../../kernel/drawn/request-id.ts';
import { renderJson } from '../../kernel/report/json.ts';
import { readReport } from '../../kernel/report/read-report.ts';
import { seal, writtenEnvelope } from './dsse.ts';
import { readEnvironment } from './environment.ts';
import { attestedFiles, bundleFiles, subjectFileIn, sumsOf, writtenSums } from './files.ts';
import type { SigningKey } from './keys.ts';
import { statementOf, statementType } from './statement.ts';

/** Test helpers that forge bundles. */

/**
 * Makes a bundle consistent after a change of one of its files: rebuilds the values derived from the report, the
 * statement and all sums.
 */
export function makeConsistent(folder: string, key: SigningKey | null): void {
  const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  const report = readReport(text(bundleFiles.report), bundleFiles.report);
  const environment = readEnvironment(text(bundleFiles.environment));
  const statement = statementOf(
    report,
    environment,
    sumsOf(folder, attestedFiles(subjectFileIn(folder))),
  );
  const envelope = seal(statementType, Buffer.from(JSON.stringify(statement)), key);
  write(bundleFiles.attestation, writtenEnvelope(envelope));
  makeSums(folder);
}

/** Recomputes only the sums. */
export function makeSums(folder: string): void {
  const sums = sumsOf(folder, [...attestedFiles(subjectFileIn(folder)), bundleFiles.attestation]);
  writeFileSync(join(folder, bundleFiles.sums), writtenSums(sums));
}

/** Changes the checks of a report. Its counts and its verdict are recomputed. */
export function changeChecks(
  folder: string,
  change: (checks: readonly CheckResult[]) => readonly CheckResult[],
): void {
  changeReport(folder, (report) => {
    const checks = change(report.checks);
    const verdict = runVerdict(checks, { strict: report.strict });
    return { ...report, checks, counts: countsOf(checks), verdict };
  });
}

export function changeReport(folder: string, change: (report: RunResult) => RunResult): void {
  const path = join(folder, bundleFiles.report);
  writeFileSync(path, renderJson(change(readReport(readFileSync(path, 'utf8'), path))));
}

/** Changes the recorded lines. The first is the header. */
export function changeLines(
  folder: string,
  change: (lines: readonly string[]) => readonly string[],
): void {
  const path = join(folder, bundleFiles.exchanges);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, `${change(lines).join('\n')}\n`);
}

/**
 * Swaps the ids of two exchanges, including the derived request ids.
 *
 * @returns checks that are judged on them
 */
export function swapExchanges(bundle: string): string[] {
  const ids = ['baseline/models#main/0', 'baseline/messages#main/0'];
  const [header = ''] = readFileSync(join(bundle, bundleFiles.exchanges), 'utf8').split('\n', 1);
  const { runId } = JSON.parse(header);
  changeExchanges(bundle, (exchange) => {
    const at = ids.indexOf(exchange.id);
    const id = ids[1 - at];
    if (at === -1 || id === undefined) return exchange;
    const headers = exchange.request.headers.map(([name, value]: [string, string]) =>
      /^x-client-request-id$/i.test(name)
        ? [name, clientRequestId(runId, idFrom(id))]
        : [name, value],
    );
    return { ...exchange, id, request: { ...exchange.request, headers } };
  });
  return ['access/credentials.key-required:models'];
}

/** Swaps the answers of two requests. @returns checks that are judged on them */
export function swapAnswers(bundle: string): string[] {
  const [one, other] = ['baseline/models#main/0', 'baseline/messages#main/0'];
  const answers = new Map<string, unknown>();
  const answer = (id: string): unknown => answers.get(id === one ? other : one);
  changeExchanges(bundle, (exchange) => {
    answers.set(exchange.id, exchange.response);
    return exchange;
  });
  changeExchanges(bundle, (exchange) =>
    [one, other].includes(exchange.id) ? { ...exchange, response: answer(exchange.id) } : exchange,
  );
  return ['models/list.shape', 'generation/messages.shape'];
}

/** Removes the last event of a stream. @returns checks that are judged on it */
export function truncateStream(bundle: string): string[] {
  changeExchanges(bundle, (exchange) => {
    if (exchange.id !== 'baseline/stream/messages#main/0') return exchange;
    const { response } = exchange;
    const body = response.body.replace(/event: message_stop\n[\s\S]*$/, '');
    if (body === response.body) throw new Error('The stream has no message_stop');
    const chunks = response.chunks.map(([at, end]: number[]) => [
      at,
      Math.min(end ?? 0, Buffer.byteLength(body)),
    ]);
    return { ...exchange, response: { ...response, body, chunks } };
  });
  return ['generation/messages-stream.message-stop-last'];
}

// biome-ignore lint/suspicious/noExplicitAny: who tampers with a file has no types for it
type Loose = any;

/** Changes the recorded exchanges. */
export function changeExchanges(bundle: string, change: (exchange: Loose) => Loose): void {
  changeLines(bundle, ([header = '', ...lines]) => [
    header,
    ...lines.map((line) => {
      const parsed = JSON.parse(line);
      if (parsed.exchange === undefined) return line;
      return JSON.stringify({ ...parsed, exchange: change(parsed.exchange) });
    }),
  ]);
}
