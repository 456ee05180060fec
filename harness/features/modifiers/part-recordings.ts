import { readRecordingHeader } from '../../kernel/recordings/index.ts';
import type { ExchangeView } from '../../kernel/report/index.ts';
import { exchangeViews, type ShownExchanges, UsageError } from '../../kernel/terminal/index.ts';
import type { Part } from './merge-reports.ts';

interface PartRecordings {
  readonly recordings: ReadonlyMap<string, string>;
  /** Recordings that belong to none of the parts: a part may have ended without a report. */
  readonly foreign: readonly string[];
}

/**
 * Matches recordings with parts: both name their run.
 *
 * @throws {UsageError} when two are of one part
 * @throws {BadRecording} when a file is not a recording
 */
export function recordingsOf(parts: readonly Part[], files: readonly string[]): PartRecordings {
  const recordings = new Map<string, string>();
  const foreign: string[] = [];
  for (const file of files) {
    const { runId } = readRecordingHeader(file);
    const part = parts.find(({ report }) => report.runId === runId);
    if (part === undefined) {
      foreign.push(file);
      continue;
    }
    const other = recordings.get(runId);
    if (other !== undefined) {
      throw new UsageError(`--recordings: ${other} and ${file} are both of ${part.file}.`);
    }
    recordings.set(runId, file);
  }
  return { recordings, foreign };
}

/** The exchanges of the findings of all parts, and the parts whose exchanges are unknown. */
export async function exchangesOfParts(
  parts: readonly Part[],
  { recordings }: PartRecordings,
): Promise<Required<ShownExchanges>> {
  const views = new Map<string, ExchangeView>();
  const unrecorded: string[] = [];
  for (const { file, report } of parts) {
    const recording = recordings.get(report.runId);
    if (recording === undefined) unrecorded.push(file);
    // Each check was judged by one part only, so none replaces another's exchange.
    else for (const [id, view] of await exchangeViews(recording, report)) views.set(id, view);
  }
  return { views, unrecorded };
}
