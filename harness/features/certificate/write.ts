import { join } from 'node:path';
import { loadCatalogue, type RunResult, sideOf } from '../../kernel/core/index.ts';
import type { RecordingHeader } from '../../kernel/recordings/index.ts';
import { writeText } from '../../kernel/redaction/index.ts';
import { renderJson } from '../../kernel/report/index.ts';
import { seal, writtenEnvelope } from './dsse.ts';
import { currentEnvironment, writtenEnvironment } from './environment.ts';
import { attestedFiles, bundleFiles, subjectFileOf, sumsOf, writtenSums } from './files.ts';
import type { SigningKey } from './keys.ts';
import { type Statement, statementOf, statementType } from './statement.ts';
import { subjectText } from './subject-file.ts';

interface BundleParts {
  readonly result: RunResult;
  /** Header of the recording, which is already in the folder. */
  readonly header: RecordingHeader;
  /** Key that signs the bundle, or null to leave it unsigned. */
  readonly key: SigningKey | null;
}

/**
 * Makes a bundle from a folder that holds the recording of a run. The list of sums is written last: a folder
 * without it is not a bundle.
 *
 * @returns the statement
 */
export function writeBundle(folder: string, { result, header, key }: BundleParts): Statement {
  const subject = subjectFileOf(result);
  const environment = currentEnvironment(loadCatalogue(sideOf(result)));
  const write = (name: string, text: string): void => writeText(join(folder, name), text);
  write(bundleFiles.report, renderJson(result));
  write(subject, subjectText(header));
  write(bundleFiles.environment, writtenEnvironment(environment));
  const statement = statementOf(result, environment, sumsOf(folder, attestedFiles(subject)));
  const body = Buffer.from(JSON.stringify(statement));
  const envelope = seal(statementType, body, key);
  write(bundleFiles.attestation, writtenEnvelope(envelope));
  const all = sumsOf(folder, [...attestedFiles(subject), bundleFiles.attestation]);
  write(bundleFiles.sums, writtenSums(all));
  return statement;
}
