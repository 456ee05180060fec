import {
  assumeServed,
  at,
  checkEach,
  expectValue,
  generatedText,
  nativeBody,
  outputItems,
  textAt,
} from '../../harness/index.ts';
import { type Made, toldAndLookedUp } from './same-resource.ts';

/** Members that do not change once a response has ended. */
const members = [
  'status',
  'created_at',
  'model',
  'previous_response_id',
  'max_output_tokens',
  'background',
  'store',
  'incomplete_details.reason',
  'usage.input_tokens',
  'usage.output_tokens',
  'usage.total_tokens',
];

checkEach('storage/responses.lookup-same-resource', (made: Made) => ({
  on: toldAndLookedUp[made],
  judge: ({ told, lookup }) => {
    assumeServed([told, lookup]);
    for (const member of members) {
      const [before, now] = [told, lookup].map((one) => at(nativeBody(one), member));
      // What one of both does not say cannot differ; of which type it is, is a row of its own.
      if (before == null || typeof now !== typeof before) continue;
      expectValue(now, { as: member, of: lookup }).toEqual(before);
    }
    if (made === 'continuation') {
      // The text of the others is judged elsewhere.
      const text = generatedText(told);
      expectValue(generatedText(lookup), { as: 'text', of: lookup }).toEqual(text);
    }
    const [before = [], now = []] = [told, lookup].map(outputItems);
    expectValue(now.map(typeOf), { as: 'types of the output items', of: lookup }).toEqual(
      before.map(typeOf),
    );
    for (const [n, item] of now.entries()) {
      const [was, is] = [before[n], item].map((one) => textAt(one, 'id'));
      if (was == null || is == null) continue;
      expectValue(is, { as: `output[${n}].id`, of: lookup }).toEqual(was);
    }
  },
}));

function typeOf(item: unknown): string | null {
  return textAt(item, 'type');
}
