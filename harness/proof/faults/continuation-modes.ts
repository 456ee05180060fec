import type { JsonObject } from '../../reference/json.ts';
import type { Policy } from '../../reference/policy.ts';
import type { Access } from '../../reference/store.ts';
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
    row: 'access/owners.other-user-denied',
    there: 'access/regions.other-user-denied:continue',
  },
  {
    id: 'regions.continues-anywhere',
    whose: "another region's response",
    condition: 'isOriginalRegion',
    row: 'access/regions.other-region-denied',
    there: 'access/regions.first-region-denied:continue',
  },
  {
    id: 'permissions.continues-any-model',
    whose: 'a response of a model that the key may not use',
    condition: 'isModelPermitted',
    row: 'access/permissions.lookup-needs-model',
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
    row: 'storage/deletion.denies-afterwards',
    further: () => ({ deleteRemovesContent: () => false }),
  },
  {
    id: 'store.continues-expired',
    whose: 'a response whose retention has ended',
    condition: 'isWithinRetention',
    row: 'storage/responses.gone-after-retention',
  },
  {
    id: 'store.continues-unstored',
    whose: 'a response that was not stored',
    condition: 'isStored',
    row: 'storage/responses.false-denies',
    further: ({ keepsContent }) => ({
      keepsContent: (execution, call) =>
        call.operation === 'responses.create' || keepsContent(execution, call),
    }),
  },
];

export const continuationModeFaults: readonly Fault[] = Object.entries(forms).flatMap(
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
      breaks: ['storage/responses.unknown-id-denied:continue'],
      // To such a gateway each of them is unknown.
      mayAlso: [
        ...forgotten.flatMap(({ row, there }) => [`${row}:continue`, ...(there ? [there] : [])]),
        'access/owners.denied-by-creation-mode',
        'access/regions.denied-by-creation-mode',
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
