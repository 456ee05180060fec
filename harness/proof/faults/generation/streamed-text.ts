import type { Defect, DialectName, StreamEvent } from '../../../reference/index.ts';
import { changed, memberAt, set } from '../../editing.ts';
import { afterwards, eachData, eachEvent } from '../../planting.ts';
import type { Fault } from '../fault.ts';

type Streaming = Extract<DialectName, 'chat-completions' | 'messages' | 'generative'>;

/** Faults of the pieces of a streamed text. @param path where an event has its piece */
export function streamedTextFaults(protocol: Streaming, path: string): readonly Fault[] {
  const area = `generation/${protocol}-stream`;
  return [
    {
      id: `${protocol}-stream.cumulative-text`,
      what: 'Each event repeats the whole text so far.',
      breaks: [`${area}.no-repeated-text`, `${area}.deltas-join-to-text`],
      override: cumulative(protocol, path),
    },
    {
      id: `${protocol}-stream.piece-lost`,
      what: 'The third piece of the text is lost on the way.',
      breaks: [`${area}.deltas-join-to-text`],
      override: lost(protocol, 3, ({ data }) => (memberAt(data, path) ?? '') !== ''),
    },
    {
      id: `${protocol}-stream.no-text`,
      what: 'The pieces of the text are empty.',
      breaks: [`${area}.deltas-join-to-text`],
      override: eachData(protocol, (data) =>
        changed(data, path, (piece) => (typeof piece === 'string' ? '' : piece)),
      ),
    },
  ];
}

/** Each piece at the path repeats all pieces before it. */
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

/** The n-th of the events that fit is left out. */
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

/** One more `[DONE]` after the last event. */
export function endingWithDone(protocol: Streaming): Defect['override'] {
  return afterwards(protocol, ({ refusal }) =>
    refusal === null ? [{ name: null, data: '[DONE]' }] : [],
  );
}
