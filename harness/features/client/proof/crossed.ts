import { type Protocol, protocols } from '../../../kernel/core/index.ts';
import type { ClientDefect } from './variation.ts';

/** Rows about tasks and members that only Responses has. */
const ofResponses =
  /^client\/(tasks|recovery|background|retries\.lookup|stream\.own|requests\.(store|background|response|original|models|known|credential-on))/;
/** Rows, or values of rows, about streams. */
const ofStreams = /stream|stall|ends-early/;
/** Defects in what a client does for a task besides `generate`. */
const needsTask =
  /-in-tasks$|^(recovers|regenerates|takes|failed-poll|part-is|lists|hot|any-delta)/;

/** Defects that no request or answer of a protocol can show. */
const noneIn: Readonly<Partial<Record<Protocol, RegExp>>> = {
  // The specification names no header for its key.
  'chat-completions': /^(wrong-header|known-types-only|resends-as-chat)$/,
  generative: /^known-types-only$/,
  systemone: /^(wrong-header|resends-as-chat)$|streamed$|as-stream$|in-streams$/,
};

/**
 * Returns the defects that a client can have in a protocol besides Responses: the same decision, wrong in that
 * protocol. A row with a value for each protocol has to find it by its own value.
 */
export function crossed(defects: readonly ClientDefect[]): readonly ClientDefect[] {
  return protocols
    .filter((protocol) => protocol !== 'responses')
    .flatMap((protocol) => defects.flatMap((defect) => inProtocol(defect, protocol) ?? []));
}

function inProtocol(defect: ClientDefect, protocol: Protocol): ClientDefect | null {
  if (defect.speaks !== undefined || needsTask.test(defect.id)) return null;
  if (noneIn[protocol]?.test(defect.id) === true) return null;
  const breaks = defect.breaks
    .filter((row) => !ofResponses.test(row))
    .filter((row) => protocol !== 'systemone' || !ofStreams.test(row))
    .map((row) => row.replace(/:responses$/, `:${protocol}`));
  if (breaks.length === 0) return null;
  const { id, what } = defect;
  return { id: `${id}@${protocol}`, what, breaks, speaks: [protocol] };
}
