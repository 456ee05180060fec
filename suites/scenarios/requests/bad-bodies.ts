import {
  type Call,
  type EndpointName,
  type Exchange,
  each,
  endpointNames,
  endpoints,
  fieldsAt,
  type Protocol,
  protocolModules,
  protocols,
  scenario,
} from '../../../harness/index.ts';
import { present } from '../assumptions.ts';
import { baseline } from '../baselines.ts';
import { conversing } from '../generations/conversations.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { inEachForm } from './models.ts';
import { refusedCost } from './refused.ts';
import { formsOf } from './request-modes.ts';
import { sendWrongMembers, wrongMembersTried } from './wrong-members.ts';

/** A request whose body is invalid in one way, and its control. */
export interface BadBodies {
  readonly control: Exchange;
  readonly malformedJson: Exchange;
  readonly empty: Exchange;
  readonly noObject: Exchange;
  /** One request per wrong value of the input, in each form that the endpoint takes, and with wrong models. */
  readonly wrongTypes: readonly Exchange[];
  /** A text in place of a list, and wrong values of other members, which a lenient gateway may interpret. */
  readonly lenient: readonly Exchange[];
  /** Without the member that holds the conversation, in each form, for the main endpoint of a protocol. */
  readonly without: readonly Exchange[];
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
      cost: {
        ...refusedCost(
          name,
          3 +
            formsOf(name).length * (wrongFor(name).length + 2) +
            (protocolAt(name) === null ? 0 : wrongMembersTried),
        ),
        chain: 1,
        outputTokens: null,
      },
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
      const main = protocolAt(name);
      const [malformedJson, empty, noObject, wrongTypes, asText, without, members] =
        await Promise.all([
          send((good) =>
            good.slice(
              0,
              random(({ number }) => number.int({ min: 1, max: good.length - 1 })),
            ),
          ),
          send(() => ''),
          send(() => '[]'),
          Promise.all(
            wrongFor(name).map((value) =>
              inEachForm(io, name, { input, change: (call) => withMember(call, member, value) }),
            ),
          ),
          takesText(speaks)
            ? []
            : inEachForm(io, name, { input, change: (call) => withMember(call, member, 'text') }),
          conversing.some((protocol) => mainEndpoint[protocol] === name)
            ? inEachForm(io, name, { input, change: (call) => withMember(call, member, undefined) })
            : [],
          main === null ? noMembers : sendWrongMembers(io.lane('members'), main),
        ]);
      const wrong = {
        wrongTypes: [...wrongTypes.flat(), ...members.models],
        lenient: [...asText, ...members.others],
      };
      return { control, malformedJson, empty, noObject, ...wrong, without };
    },
  ),
);

const noMembers = { models: [], others: [] };

/** Returns the protocol of which this is the main endpoint, or null. */
function protocolAt(name: EndpointName): Protocol | null {
  return protocols.find((protocol) => mainEndpoint[protocol] === name) ?? null;
}

/** Values of the JSON types that the main member of a request never has, and lists of such values. */
function wrongFor(name: EndpointName): readonly unknown[] {
  const { speaks } = present(endpoints[name].model, 'model');
  return [42, true, [42], ...protocolModules[speaks].request.wrongInputs];
}

/** True if the main member of a request may be a text. */
function takesText(protocol: Protocol): boolean {
  const { input, text, textValue } = protocolModules[protocol].request;
  return input === text && typeof textValue('text') === 'string';
}

/** Returns the call with another output limit, or without one. */
export function withLimit(call: Call, path: string, limit: number | undefined): Call {
  return { ...call, body: { ...Object(call.body), ...fieldsAt(path, limit) } };
}

/** Returns the call with one member of its body replaced. */
export function withMember(call: Call, member: string, value: unknown): Call {
  return { ...call, body: { ...Object(call.body), [member]: value } };
}
