import { bodyEndpoints } from '../../reference/endpoint-names.ts';
import { endpointOf } from '../planting.ts';
import type { Fault } from './fault.ts';
import { forgiving } from './lenient-input.ts';
import { inputMembers, statusOf } from './refusing.ts';

export const badBodyFaults: readonly Fault[] = [
  ...bodyEndpoints.flatMap((endpoint) =>
    (
      [
        ['malformed-json', 'malformed-json', 'malformed JSON'],
        ['empty-body', 'empty-body', 'a request without a body'],
        ['not-an-object', 'not-an-object', 'a list in place of the body'],
      ] as const
    ).map(
      ([rule, reason, what]): Fault => ({
        id: `input.${rule}-served-${endpoint}`,
        what: `\`${endpoint}\` reads ${what} as an empty object, and answers.`,
        breaks: [`input/requests.${rule}:${endpoint}`],
        override: forgiving(
          (refusal, call) => refusal.reason === reason && endpointOf(call) === endpoint,
        ),
      }),
    ),
  ),
  ...bodyEndpoints.map(
    (endpoint): Fault => ({
      id: `input.wrong-type-served-${endpoint}`,
      what: `\`${endpoint}\` takes an input of the wrong type for none, and answers.`,
      breaks: [`input/requests.wrong-types:${endpoint}`],
      override: forgiving(
        ({ reason, param }, call) =>
          reason === 'wrong-type' &&
          endpointOf(call) === endpoint &&
          inputMembers.includes(param ?? ''),
      ),
    }),
  ),
  ...bodyEndpoints.map(
    (endpoint): Fault => ({
      id: `input.malformed-json-breaks-${endpoint}`,
      what: `Malformed JSON is answered with 500 at \`${endpoint}\`.`,
      breaks: [`input/requests.malformed-json:${endpoint}`],
      override: statusOf(
        500,
        ({ reason }, call) => reason === 'malformed-json' && endpointOf(call) === endpoint,
      ),
    }),
  ),
];
