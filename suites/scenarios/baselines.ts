import {
  type Call,
  type EndpointName,
  type Exchange,
  each,
  endpointNames,
  endpoints,
  type Io,
  idOf,
  isRefused,
  type Scenario,
  scenario,
  type View,
  view,
} from '../../harness/index.ts';
import { assumeDistinctIds } from './assumptions.ts';
import {
  type ClientForm,
  clientForms,
  costOf,
  type InForms,
  sendInForms,
} from './requests/client-forms.ts';
import { limitOf } from './requests/refused.ts';
import { notApplicableOnceEnded } from './running/long-runs.ts';
import {
  runningResponse,
  type Stored,
  storedResponse,
  witness,
} from './stored/stored-responses.ts';

/** A baseline, good request to an endpoint, sent once in a run: the control of every refusal there. */
export interface Baseline {
  readonly baseline: Exchange;
  /** Lookup of the run just before its cancel; null for any other endpoint. */
  readonly before: Exchange | null;
  /** The input of a generation or a count. */
  readonly input: string;
  /** A word of the stored input that stands nowhere else: what a denied answer must not show. */
  readonly secret: string;
  /** The stored response that was acted on; null where the endpoint acts on none. */
  readonly id: string | null;
  /** Requests in forms of clients, for endpoints that get no other good request in them. */
  readonly clients: InForms;
}

/** Too few good requests are sent to these. */
const inForms: Readonly<Partial<Record<EndpointName, readonly ClientForm[]>>> = {
  compact: clientForms.second,
  systemone: clientForms.second,
  cancel: clientForms.second,
  delete: clientForms.second,
};

const created = freshRequest('responses');

/** The stored response that is only ever read: what the baseline request to Responses made. */
export const readable: View<Stored> = view(
  { made: created, witness },
  ({ made: { baseline, input, secret }, witness: other }) => {
    assumeDistinctIds([baseline], [other.created]);
    return { created: baseline, id: idOf(baseline), input, secret };
  },
);

/** The running response that the baseline request cancels. */
export const toBeCancelled = runningResponse('baseline/to-be-cancelled');

const subjects: Partial<Record<EndpointName, View<Stored>>> = {
  'input-items': readable,
  delete: storedResponse('baseline/to-be-deleted'),
  cancel: toBeCancelled,
};

/** The baseline lookup: every deletion waits for it, so that what a deletion takes was there before. */
export const lookupControl = requestOn('lookup', readable);

/** The baseline requests by endpoint. */
export const baseline = each(endpointNames, baselineRequest);

function baselineRequest(name: EndpointName): Scenario<Baseline> {
  if (name === 'responses') return created;
  if (name === 'lookup') return lookupControl;
  const subject = subjects[name];
  return subject === undefined ? freshRequest(name) : requestOn(name, subject);
}

function requestOn(name: EndpointName, subject: View<Stored>): Scenario<Baseline> {
  const first = name === 'delete' ? { lookupControl } : {};
  const stops = name === 'cancel';
  return scenario(
    `baseline/${name}`,
    {
      after: { subject, ...first },
      cost: costOf(formsOf(name), { requests: stops ? 2 : 1, generations: 0 }),
    },
    async (io, { subject: { id, secret } }) => {
      const before = stops ? await io.responses.lookup(id) : null;
      const { answer, clients } = await sendInForms(io, formsOf(name), (as) =>
        io.ask(name, { id }, as),
      );
      if (isRefused(answer)) notApplicableOnceEnded(before);
      return { baseline: answer, before, input: '', secret, id, clients };
    },
  );
}

function freshRequest(name: EndpointName): Scenario<Baseline> {
  const { generates } = endpoints[name];
  return scenario(
    `baseline/${name}`,
    {
      needs: needsOf(name),
      cost: {
        ...costOf(formsOf(name), { requests: 1, generations: generates ? 1 : 0 }),
        ...limitOf(name),
      },
    },
    async (io) => {
      const { secret, input } = ownInput(io);
      const change = asBaseline(name);
      const { answer, clients } = await sendInForms(io, formsOf(name), (as) =>
        io.ask(name, { input, change }, as),
      );
      return { baseline: answer, before: null, input, secret, id: null, clients };
    },
  );
}

function formsOf(name: EndpointName): readonly ClientForm[] {
  return inForms[name] ?? [];
}

/** The catalog names no model, and is there for the protocol that it belongs to. */
function needsOf(name: EndpointName) {
  const model = name === 'catalog' ? ({ speaks: 'generative' } as const) : endpoints[name].model;
  return model === null ? {} : { model };
}

/** The baseline response is stored: what is created and what is looked up are compared. */
export function asBaseline(name: EndpointName): (call: Call) => Call {
  if (name !== 'responses') return (call) => call;
  return (call) => ({ ...call, body: { ...Object(call.body), store: true } });
}

/** An input that holds a word of its own. */
export function ownInput(io: Io): { readonly secret: string; readonly input: string } {
  const secret = io.word();
  return { secret, input: io.sentence(secret) };
}
