import type { JsonObject } from '../../reference/json.ts';
import type { Defect } from '../../reference/seams.ts';
import { relax, tighten } from '../decisions.ts';
import { together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { continues } from './protocols.ts';

// Checks that were forgotten where a continuation asks for more than one plain answer.

const forms: Readonly<Record<string, (body: JsonObject) => boolean>> = {
  'as-stream': ({ stream }) => stream === true,
  'in-background': ({ background }) => background === true,
  'with-tool': ({ tools }) => tools !== undefined,
};

interface Forgotten {
  readonly id: string;
  /** Whose responses can be continued. */
  readonly whose: string;
  readonly condition:
    | 'isSameUser'
    | 'isOriginalRegion'
    | 'isModelPermitted'
    | 'isNotDeleted'
    | 'isWithinRetention'
    | 'isStored';
  readonly row: string;
  /** What else has to be so for the check to matter. */
  further?(fits: (body: JsonObject) => boolean): Defect['override'];
}

const forgotten: readonly Forgotten[] = [
  {
    id: 'owners.any-user-continues',
    whose: "another user's response",
    condition: 'isSameUser',
    row: 'access/owners.other-user-denied',
  },
  {
    id: 'regions.continues-anywhere',
    whose: "another region's response",
    condition: 'isOriginalRegion',
    row: 'access/regions.other-region-denied',
  },
  {
    id: 'permissions.continues-any-model',
    whose: 'a response of a model that the key may not use',
    condition: 'isModelPermitted',
    row: 'access/permissions.lookup-needs-model',
    // The continuation names the same model.
    further: (fits) =>
      relax('mayUseModel', (_key, _model, call) => continues(call) && fits(call.body)),
  },
  {
    id: 'delete.continues-deleted',
    whose: 'a deleted response',
    condition: 'isNotDeleted',
    row: 'storage/deletion.denies-afterwards',
    further: () => tighten('deleteRemovesContent', () => true),
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
    further: () =>
      relax('keepsContent', (_execution, call) => call.operation === 'responses.create'),
  },
];

export const continuationModeFaults: readonly Fault[] = Object.entries(forms).flatMap(
  ([form, fits]): Fault[] => [
    ...forgotten.map(
      ({ id, whose, condition, row, further }): Fault => ({
        id: `${id}-${form}`,
        what: `A continuation ${form.replaceAll('-', ' ')} reaches ${whose}.`,
        breaks: [`${row}:continue`],
        override: together(
          relax(condition, (access) => access.operation === 'continue' && fits(access.call.body)),
          ...(further === undefined ? [] : [further(fits)]),
        ),
      }),
    ),
    {
      id: `store.continues-unknown-${form}`,
      what: `A continuation ${form.replaceAll('-', ' ')} of no response is served like a new conversation.`,
      breaks: ['storage/responses.unknown-id-denied:continue'],
      override: tighten(
        'insists',
        (refusal, call) => refusal.reason === 'unknown-previous-response' && fits(call.body),
      ),
    },
  ],
);
