import { type Protocol, protocols } from '../../../kernel/core/index.ts';
import type { ClientDefect } from './variation.ts';

/** Rows about tasks and members that only Responses has. */
const ofResponses =
  /^client\/(tasks|recovery|background|retries\.lookup|stream\.own|requests\.(store|background|response|original|models|known))/;
/** Rows, or values of rows, about streams. */
const ofStreams = /stream|stall|ends-early/;
/** Defects in tasks besides `generate`, and those that show in other rows elsewhere. */
const needsTask =
  /-in-tasks$|^(recovers|regenerates|takes|failed|part-is|lists|hot|any-delta|known-types|polls)/;

/** Defects that no request or answer of a protocol can show. */
const noneIn: Readonly<Partial<Record<Protocol, RegExp>>> = {
  responses: /./,
  // The specification names no header for its key.
  'chat-completions':
    /^(wrong-header|resends-as-chat|prints-thoughts|first-only|known-items-only)$/,
  messages: /^prints-refusals$/,
  generative: /^(model-encoded.*|prints-refusals)$/,
  systemone:
    /^(wrong-header|resends-as-chat|prints-(nothing|thoughts|calls|refusals)|.*-(is-cut|at-limit)|bodies-.*|first-only|known-items-only)$|streamed$|as-stream$|in-streams$/,
};

/**
 * Returns the defects that a client can have in a protocol besides Responses: the same decision, wrong in that
 * protocol. A row with a value for each protocol has to find it by its own value.
 */
export function crossed(defects: readonly ClientDefect[]): readonly ClientDefect[] {
  return protocols.flatMap((protocol) =>
    defects.flatMap((defect) => inProtocol(defect, protocol) ?? []),
  );
}

function inProtocol(defect: ClientDefect, protocol: Protocol): ClientDefect | null {
  if (defect.speaks !== undefined || needsTask.test(defect.id)) return null;
  if (noneIn[protocol]?.test(defect.id) === true) return null;
  const breaks = defect.breaks
    .filter((row) => !ofResponses.test(row))
    .filter((row) => protocol !== 'systemone' || !ofStreams.test(row))
    .map((row) => row.replace(/:responses$/, `:${protocol}`));
  if (breaks.length === 0) return null;
  return { ...defect, id: `${defect.id}@${protocol}`, breaks, speaks: [protocol] };
}
