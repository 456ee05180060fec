import {
  type Capability,
  type Exchange,
  type Io,
  idOf,
  type Scenario,
  scenario,
  type Target,
  type View,
  view,
} from '../../../harness/index.ts';
import { assumeDistinctIds } from '../assumptions.ts';
import { idOfLongRun, longRun, longRunLimit } from '../running/long-runs.ts';

/** A response with its id, and a word that occurs only in its input. */
export interface Subject {
  readonly id: string;
  readonly secret: string;
}

/** A stored response, as its creation showed it. */
export interface Stored extends Subject {
  readonly created: Exchange;
  readonly input: string;
}

/** Least output limit of the native API. */
export const leastLimit = 16;

/**
 * A stored response for `assumeDistinctIds`, which needs far more than its limit. A server with one constant answer
 * stores nothing, but would pass every check that looks at only one response.
 */
export const witness = creation('stored/witness', [], async (io) => {
  const secret = io.word();
  const body = { input: io.text(400, secret), max_output_tokens: leastLimit, store: true };
  return { created: await io.responses.create(body), input: body.input, secret };
});

/** Starts a background response that is long enough to be found running. */
export function runningResponse(name: string): View<Stored> {
  const create = async (io: Io) => {
    const secret = io.word();
    const body = { ...longRun(secret, io), store: true, background: true };
    return { created: await io.responses.create(body), input: body.input, secret };
  };
  return identified(creation(name, ['background'], create, true), idOfLongRun);
}

/** Creates a background response whose events are read to the end, and remain stored. It may have no id. */
export function streamedInBackground(name: string): Scenario<Omit<Stored, 'id'>> {
  return creation(name, recoverableBy, async (io) => {
    const { secret, input } = shortInput(io);
    const created = await io.responses.stream({ input, store: true, background: true });
    return { created, input, secret };
  });
}

const recoverableBy = ['background', 'stream:responses'] as const;

/** Creates a response, whose exchange is captured for any outcome. */
function creation(
  name: string,
  supports: readonly Capability[],
  create: (io: Io) => Promise<Omit<Stored, 'id'>>,
  goesOn = false,
): Scenario<Omit<Stored, 'id'>> {
  const limitAt = (target: Target) => (goesOn ? { outputTokens: longRunLimit(target) } : {});
  return scenario(
    name,
    {
      needs: { model: { speaks: 'responses', supports } },
      expires: goesOn,
      cost: (target) => ({ requests: 1, generations: 1, ...limitAt(target) }),
    },
    create,
  );
}

/**
 * Returns a created response for scenarios that continue by its id. A missing id makes them undecided, because
 * another check judges it.
 */
export function identified(
  created: Scenario<Omit<Stored, 'id'>>,
  id: (created: Exchange) => string = idOf,
): View<Stored> {
  return view({ made: created, witness }, ({ made, witness: other }) => {
    assumeDistinctIds([made.created], [other.created]);
    return { ...made, id: id(made.created) };
  });
}

function shortInput({ sentence, topic, word }: Io): Pick<Stored, 'secret' | 'input'> {
  const secret = word();
  return { secret, input: sentence(topic(), secret) };
}

/** A stored response that may be deleted, because no other check reads it. */
const disposable = identified(witness);

/** Cancels a foreground response, which must be refused, before the response is deleted. */
export const foregroundCancelled = scenario(
  'stored/foreground-cancelled',
  { after: { subject: disposable }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { subject }) => ({ subject, attempt: await responses.cancel(subject.id) }),
);

/** The cancelled response, and a continuation of it, which is to outlive it. */
export const continuedOnce = scenario(
  'stored/continued-once',
  { after: { tried: foregroundCancelled }, cost: { requests: 1, generations: 1, continues: 1 } },
  async ({ responses }, { tried: { subject } }) => ({
    subject,
    child: await responses.create({ previous_response_id: subject.id, store: true }),
  }),
);

/** A stored response whose other requests are done. */
export const toBeDeleted: View<Stored> = view(
  { continuedOnce },
  ({ continuedOnce: { subject } }) => subject,
);

/**
 * Text that faulty storage alters easily: letters beyond ASCII and beyond 16 bits, markup, quotation marks,
 * escapes, line ends and inner space. Only the compatibility normal forms of Unicode change it, and these are
 * unsuitable for storage.
 */
const fragile =
  'Żółw & Bär, 東京, Ελλάδα: 🦊 <b>bold &amp; "quoted"</b>, it\'s \\n and %20,\n\n  indented\tby a tab; ';

/** Longer than the excerpts in logs and previews. */
const longAndFragile = fragile.repeat(12);

/** A stored response whose input is one long text. */
export const keptText = scenario(
  'stored/kept-text',
  {
    needs: { model: { speaks: 'responses' } },
    cost: { requests: 1, generations: 1 },
  },
  async ({ responses, word }) => {
    const text = `Say hello, and nothing of what follows: ${longAndFragile}${word()}`;
    return { text, created: await responses.create({ input: text, store: true }) };
  },
);
