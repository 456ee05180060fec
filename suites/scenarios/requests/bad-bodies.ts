import {
  type Call,
  type EndpointName,
  type Exchange,
  each,
  endpointNames,
  endpoints,
  fieldsAt,
  protocolModules,
  scenario,
} from '../../../harness/index.ts';
import { present } from '../assumptions.ts';
import { baseline } from '../baselines.ts';
import { inEachForm } from './models.ts';
import { refusedCost } from './refused.ts';
import { formsOf } from './request-modes.ts';

/** A request whose body is invalid in one way, and its control. */
export interface BadBodies {
  readonly control: Exchange;
  readonly malformedJson: Exchange;
  readonly empty: Exchange;
  readonly noObject: Exchange;
  /** One request per form that the endpoint takes. */
  readonly wrongTypes: readonly Exchange[];
}

/** Endpoints that take a JSON body. */
const bodyEndpoints = endpointNames.filter(
  (name) =>
    endpoints[name].model !== null && endpoints[name].actsOn === 'none' && name !== 'websocket',
);

export const badBodies = each(bodyEndpoints, (name: EndpointName) =>
  scenario(
    `requests/bad-bodies/${name}`,
    {
      hostile: 'input',
      after: { baseline: baseline[name] },
      // A gateway that accepts these bodies finds no output limit in them.
      cost: { ...refusedCost(name, 3 + formsOf(name).length), chain: 1, outputTokens: null },
    },
    async (io, { baseline: { baseline: control, input } }): Promise<BadBodies> => {
      const { ask, random } = io;
      const send = (body: (good: string) => string): Promise<Exchange> =>
        ask(name, {
          input,
          change: (call) => ({ ...call, body: body(JSON.stringify(call.body)) }),
        });
      const { speaks } = present(endpoints[name].model, 'model');
      const { input: member } = protocolModules[speaks].request;
      const [malformedJson, empty, noObject, wrongTypes] = await Promise.all([
        send((good) =>
          good.slice(
            0,
            random(({ number }) => number.int({ min: 1, max: good.length - 1 })),
          ),
        ),
        send(() => ''),
        send(() => '[]'),
        inEachForm(io, name, { input, change: (call) => withMember(call, member, 42) }),
      ]);
      return { control, malformedJson, empty, noObject, wrongTypes };
    },
  ),
);

/** Returns the call with another output limit, or without one. */
export function withLimit(call: Call, path: string, limit: number | undefined): Call {
  return { ...call, body: { ...Object(call.body), ...fieldsAt(path, limit) } };
}

/** Returns the call with one member of its body replaced. */
export function withMember(call: Call, member: string, value: unknown): Call {
  return { ...call, body: { ...Object(call.body), [member]: value } };
}
