import type { JsonObject } from '../json.ts';
import type { Policy } from '../policy.ts';
import type { Access } from '../store.ts';
import type { Fault } from './fault.ts';

// Checks that were forgotten where a continuation asks for more than one plain answer.

type Condition = {
  [Name in keyof Policy]: Policy[Name] extends (access: Access) => boolean ? Name : never;
}[keyof Policy];

const forms: Readonly<Record<string, (body: JsonObject) => boolean>> = {
  'as-stream': ({ stream }) => stream === true,
  'in-background': ({ background }) => background === true,
  'with-tool': ({ tools }) => tools !== undefined,
};

interface Forgotten {
  readonly id: string;
  /** Whose responses can be continued. */
  readonly whose: string;
  readonly condition: Condition;
  readonly row: string;
  /** The same in the second region. */
  readonly there?: string;
  /** What else has to be so for the check to matter. */
  further?(policy: Policy, fits: (body: JsonObject) => boolean): Partial<Policy>;
}

const forgotten: readonly Forgotten[] = [
  {
    id: 'owners.any-user-continues',
    whose: "another user's response",
    condition: 'isSameUser',
    row: 'rules/owners.other-user-denied',
    there: 'rules/regions.other-user-denied:continue',
  },
  {
    id: 'regions.continues-anywhere',
    whose: "another region's response",
    condition: 'isOriginalRegion',
    row: 'rules/regions.other-region-denied',
    there: 'rules/regions.first-region-denied:continue',
  },
  {
    id: 'permissions.continues-any-model',
    whose: 'a response of a model that the key may not use',
    condition: 'isModelPermitted',
    row: 'rules/permissions.lookup-needs-model',
    // The continuation names the same model.
    further: ({ mayUseModel }, fits) => ({
      mayUseModel: (key, model, call) =>
        (call.body.previous_response_id !== undefined && fits(call.body)) ||
        mayUseModel(key, model, call),
    }),
  },
  {
    id: 'delete.continues-deleted',
    whose: 'a deleted response',
    condition: 'isNotDeleted',
    row: 'responses/delete.denies-afterwards',
    further: () => ({ deleteRemovesContent: () => false }),
  },
  {
    id: 'store.continues-expired',
    whose: 'a response whose retention has ended',
    condition: 'isWithinRetention',
    row: 'responses/store.gone-after-retention',
  },
  {
    id: 'store.continues-unstored',
    whose: 'a response that was not stored',
    condition: 'isStored',
    row: 'responses/store.false-denies',
    further: ({ keepsContent }) => ({
      keepsContent: (execution, call) =>
        call.operation === 'responses.create' || keepsContent(execution, call),
    }),
  },
];

export const otherwiseContinuedFaults: readonly Fault[] = Object.entries(forms).flatMap(
  ([form, fits]): Fault[] => [
    ...forgotten.map(
      ({ id, whose, condition, row, there, further }): Fault => ({
        id: `${id}-${form}`,
        what: `A continuation ${form.replaceAll('-', ' ')} reaches ${whose}.`,
        breaks: [`${row}:continue`],
        mayAlso: there === undefined ? [] : [there],
        override: ({ policy }) => ({
          policy: {
            ...further?.(policy, fits),
            [condition]: (access: Access) =>
              (access.operation === 'continue' && fits(access.call.body)) ||
              policy[condition](access),
          },
        }),
      }),
    ),
    {
      id: `store.continues-unknown-${form}`,
      what: `A continuation ${form.replaceAll('-', ' ')} of no response is served like a new conversation.`,
      breaks: ['responses/store.unknown-id-denied:continue'],
      // To such a gateway each of them is unknown.
      mayAlso: [
        ...forgotten.flatMap(({ row, there }) => [`${row}:continue`, ...(there ? [there] : [])]),
        'rules/owners.otherwise-made-denied',
        'rules/regions.otherwise-made-denied',
      ],
      override: ({ policy }) => ({
        policy: {
          insists: (refusal, call) =>
            !(refusal.reason === 'unknown-previous-response' && fits(call.body)) &&
            policy.insists(refusal, call),
        },
      }),
    },
  ],
);
