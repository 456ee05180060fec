import {
  assumeServed,
  type Call,
  type CallOptions,
  type Exchange,
  each,
  idOf,
  isRefused,
  type Needs,
  NothingToJudge,
  type Scenario,
  scenario,
  wordsOfTexts,
} from '../../../harness/index.ts';
import { baseline, ownInput } from '../baselines.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { namesModel } from '../requests/models.ts';
import { expectNoMoreRead, fewestTokens } from '../token-counts.ts';
import { keptText } from './kept-text.ts';

/** The protocols that continue no stored response. */
const stateless = ['chat-completions', 'messages', 'generative'] as const;

type Stateless = (typeof stateless)[number];

/** A generation that names a stored response as the one before, over a protocol that continues none. */
interface NamedBefore {
  readonly through: Exchange;
  /** The baseline, which names none, and the model that was asked. */
  readonly without: Exchange;
  readonly model: string;
  /** A word of its input. */
  readonly secret: string;
}

/**
 * The owner's stored response of a long text, as `previous_response_id` of a request over each of these
 * protocols.
 *
 * @param as who asks; the owner by default
 * @param more further members of the body
 */
export function namedBefore(these: {
  /** Begins the names of the scenarios. */
  readonly name: string;
  readonly as?: CallOptions;
  readonly keys?: Needs['keys'];
  readonly permittedFor?: 'otherUser';
  readonly more?: object;
}): Readonly<Record<Stateless, Scenario<NamedBefore>>> {
  const { name, as = {}, keys = [], permittedFor, more = {} } = these;
  return each(stateless, (protocol: Stateless) =>
    scenario(
      `${name}/${protocol}`,
      {
        needs: {
          model: { speaks: protocol, ...(permittedFor === undefined ? {} : { permittedFor }) },
          keys,
        },
        after: { stored: keptText, baseline: baseline[mainEndpoint[protocol]] },
        cost: { requests: 1, generations: 1 },
      },
      async (io, { stored: { created }, baseline: { baseline: without } }) => {
        const { secret, input } = ownInput(io);
        const previous = { ...more, previous_response_id: idOf(created) };
        const change = (call: Call) => ({ ...call, body: { ...Object(call.body), ...previous } });
        const through = await io.ask(mainEndpoint[protocol], { input, change }, as);
        return { through, without, secret, model: io.model.id };
      },
    ),
  );
}

/** Judges such a request: refused, or answered as if it named none. */
export function expectNoneBefore({ through, without, model }: NamedBefore): void {
  if (isRefused(through)) return;
  assumeServed([through, without]);
  if (!namesModel(without, model)) {
    throw new NothingToJudge('another model answered without it, which may count otherwise');
  }
  // The stored text is at least twice as long as this allowance.
  expectNoMoreRead(through, without, fewestTokens(wordsOfTexts.firstTurn));
}
