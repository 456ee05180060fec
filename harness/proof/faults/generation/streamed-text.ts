import type { Defect, DialectName, StreamEvent } from '../../../reference/index.ts';
import { changed, memberAt, set } from '../../editing.ts';
import { afterwards, eachData, eachEvent } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each } from '../planted.ts';

type Streaming = Extract<DialectName, 'chat-completions' | 'messages' | 'generative'>;

const pieces = [
  { protocol: 'chat-completions', path: 'choices.0.delta.content' },
  { protocol: 'messages', path: 'delta.text' },
  { protocol: 'generative', path: 'candidates.0.content.parts.0.text' },
] as const;

export const streamedTextFaults: readonly Fault[] = each(pieces, ({ protocol, path }) => ({
  '{protocol}-stream.cumulative-text': cumulative(protocol, path),
  '{protocol}-stream.piece-lost': lost(
    protocol,
    3,
    ({ data }) => (memberAt(data, path) ?? '') !== '',
  ),
  '{protocol}-stream.no-text': eachData(protocol, (data) =>
    changed(data, path, (piece) => (typeof piece === 'string' ? '' : piece)),
  ),
}));

/** Makes each piece at the path repeat all previous pieces. */
export function cumulative(protocol: DialectName, path: string): Defect['override'] {
  return eachEvent(protocol, () => {
    let whole = '';
    return ({ name, data }) => {
      const piece = memberAt(data, path);
      if (typeof data === 'string' || typeof piece !== 'string') return { name, data };
      whole += piece;
      return { name, data: set(data, path, whole) };
    };
  });
}

/** Omits the n-th matching event. */
export function lost(
  protocol: DialectName,
  nth: number,
  fits: (event: StreamEvent) => boolean,
): Defect['override'] {
  return eachEvent(protocol, () => {
    let found = 0;
    return (event) => (fits(event) && ++found === nth ? [] : event);
  });
}

/** Appends another `[DONE]` after the last event. */
export function endingWithDone(protocol: Streaming): Defect['override'] {
  return afterwards(protocol, ({ refusal }) =>
    refusal === null ? [{ name: null, data: '[DONE]' }] : [],
  );
}
