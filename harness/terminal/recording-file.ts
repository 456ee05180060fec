import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file that a run is recorded to. */
export interface RecordingFile {
  /** Undefined: the run is not recorded. */
  readonly path: string | undefined;
  /** Removes the file when it was a temporary one. */
  release(): void;
}

/**
 * The recording that a run needs: the file the user named, or a temporary one when only a report
 * wants it.
 */
export function recordingFile(named: string | undefined, wanted: boolean): RecordingFile {
  if (named !== undefined || !wanted) return { path: named, release: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-recording-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // A second Ctrl-C ends the process at once, and nothing of what it sent is to be left behind.
  process.once('exit', remove);
  return {
    path: join(folder, 'exchanges.jsonl'),
    release() {
      process.removeListener('exit', remove);
      remove();
    },
  };
}
