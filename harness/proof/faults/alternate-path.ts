import type { Context, Defect } from '../../reference/seams.ts';
import { changed, memberAt, set, without } from '../editing.ts';
import { bodies, eachData, eachEvent, endpointOf } from '../planting.ts';
import type { Fault } from './fault.ts';

// Generative-content under /v1, where another encoder went astray than under /v1beta.

const finish = 'candidates.0.finishReason';

const along = ({ call }: Context): boolean => endpointOf(call) === 'alternate-path';

/** A stream on the alternate path, with one thing wrong. */
function streamed(id: string, what: string, override: Defect['override']): Fault {
  return {
    id: `generative.alternate-${id}`,
    what,
    breaks: ['generation/paths.same-actions:stream-generate-content'],
    override,
  };
}

export const alternatePathFaults: readonly Fault[] = [
  {
    id: 'generative.alternate-candidates-shapeless',
    what: 'The alternate path names a finish reason by a number.',
    breaks: ['generation/paths.same-actions:generate-content'],
    override: bodies('generative.response', (body, context) =>
      along(context) ? set(body, finish, 1) : body,
    ),
  },
  {
    id: 'generative.alternate-count-as-text',
    what: 'The alternate path writes a count as a text.',
    breaks: ['generation/paths.same-actions:count-tokens'],
    override: bodies('generative.count', (body, context) =>
      along(context) ? set(body, 'totalTokens', `${body.totalTokens}`) : body,
    ),
  },
  streamed(
    'chunks-shapeless',
    'The alternate path streams a finish reason as a number.',
    eachData('generative', (data, _index, context) =>
      along(context) ? set(data, finish, 1) : data,
    ),
  ),
  streamed(
    'chunks-named',
    'The alternate path gives the events of a stream a name.',
    eachEvent('generative', (context) => ({ name, data }) => ({
      name: along(context) ? 'chunk' : name,
      data,
    })),
  ),
  streamed(
    'finish-not-last',
    'On the alternate path an empty candidate follows the one with the finish reason.',
    eachEvent('generative', (context) => (event) => {
      if (typeof event.data === 'string' || !along(context)) return event;
      if (memberAt(event.data, finish) === undefined) return event;
      const text = 'candidates.0.content.parts.0.text';
      const empty = changed(without(event.data, finish), text, () => '');
      return [event, { name: null, data: empty }];
    }),
  ),
];
