import { budgets, messageOf, parseForeign, type RunResult, UnfitFile } from '../core/index.ts';
import { resultIn } from './json.ts';
import { isReport } from './report-schema.ts';

/** Error for a file that is not a report. */
export class NoReport extends Error {
  override readonly name = 'NoReport';
}

/**
 * Reads the text of a `report.json`.
 *
 * @param where name of the file, for errors
 * @throws {NoReport} when it is not JSON, not a report, or has a version that this suite cannot read
 */
export function readReport(text: string, where: string): RunResult {
  let value: unknown;
  try {
    value = parseForeign(text, budgets.report);
  } catch (error) {
    if (error instanceof UnfitFile) throw new NoReport(`${where}: ${error.message}`);
    throw new NoReport(
      `${where} is not JSON: ${messageOf(error)}. A report is written by \`run --json\`.`,
    );
  }
  const { format, version } = Object(value);
  if (format !== 'gateway-touchstone/report') {
    throw new NoReport(`${where} is not a Touchstone report. One is written by \`run --json\`.`);
  }
  if (version !== 2) {
    throw new NoReport(
      `${where} is a report of version ${version}, and this suite reads version 2: make it again.`,
    );
  }
  if (!isReport(value)) throw new NoReport(`${where} is not as the JSON Schema of reports says.`);
  return resultIn(value);
}
