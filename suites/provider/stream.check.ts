import { assumeAsked, rule } from '../../harness/features/provider/index.ts';
import { contentOf, Inconclusive } from '../../harness/index.ts';
import { framed, left } from './cases.ts';
import { assumeTold, expectSame, expectThat } from './told.ts';

rule('provider/stream.framing', framed, (join) => {
  const front = assumeTold(join);
  expectSame('the text', contentOf(front).text, join.script.say.text, front);
});

/** Milliseconds in which a gateway has to leave, and what a busy machine needs besides. */
const patienceMs = 4_000;

rule('provider/stream.left', left, (join) => {
  assumeAsked(join);
  const { front, back } = join;
  const [asked = front] = back;
  if (front.failure === null && front.response?.complete === true) {
    throw new Inconclusive('the stream was over before the client left it', front);
  }
  const after = Math.round(asked.times.ended - front.times.ended);
  expectThat(
    asked.failure?.kind === 'reset' && after <= patienceMs,
    'that the gateway leaves its provider, too, within 4 s',
    asked.failure?.kind === 'reset'
      ? `that it left after ${after} ms`
      : `that it read on to the end, ${after} ms later`,
    asked,
  );
});
