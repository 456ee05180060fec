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
  prose,
  protocolModules,
  type Scenario,
  scenario,
} from '../../../harness/index.ts';
import { baselineOf, ownInput } from '../baselines.ts';
import { namesModel } from '../exchanges.ts';
import { expectNoMoreRead, fewestTokens } from '../token-counts.ts';
import { keptText } from './stored-responses.ts';

/** Protocols that continue no stored response. */
const stateless = ['chat-completions', 'messages', 'generative'] as const;

type Stateless = (typeof stateless)[number];

/** A generation with `previous_response_id` over a protocol that continues no stored response. */
interface NamedBefore {
  readonly through: Exchange;
  /** Baseline without `previous_response_id`, and the requested model. */
  readonly without: Exchange;
  readonly model: string;
  /** A word of the stored input. */
  readonly secret: string;
}

/**
 * Sends the id of the owner's stored long response as `previous_response_id` over each of these protocols.
 *
 * @param as key and region of the requests; the owner by default
 * @param more further members of the body
 */
export function namedBefore(these: {
  /** Prefix of the scenario names. */
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
        after: { stored: keptText, baseline: baselineOf[protocol] },
        together: protocol,
        cost: { requests: 1, generations: 1 },
      },
      async (io, { stored: { created }, baseline: { baseline: without } }) => {
        const { secret, input } = ownInput(io);
        const previous = { ...more, previous_response_id: idOf(created) };
        const change = (call: Call) => ({ ...call, body: { ...Object(call.body), ...previous } });
        const through = await io.ask(protocolModules[protocol].mainEndpoint, { input, change }, as);
        return { through, without, secret, model: io.model.id };
      },
    ),
  );
}

/** Judges such a request: refused, or served as if it named no response. */
export function expectNoneBefore({ through, without, model }: NamedBefore): void {
  if (isRefused(through)) return;
  assumeServed([through, without]);
  if (!namesModel(without, model)) {
    throw new NothingToJudge('another model answered without it, which may count otherwise');
  }
  // The stored text is at least twice as long as this allowance.
  expectNoMoreRead(through, without, fewestTokens(prose.wordsOfTexts.firstTurn));
}
