import { accessCredentialsFaults } from './access/credentials.ts';
import { accessModelsFaults } from './access/models.ts';
import { oneRegionFaults } from './access/one-region.ts';
import { otherBodiesFaults } from './access/other-bodies.ts';
import { accessRequestModesFaults } from './access/request-modes.ts';
import { secondRegionFaults } from './access/second-region.ts';
import { accessStoredResponsesFaults } from './access/stored-responses.ts';
import { accessTwoReasonsFaults } from './access/two-reasons.ts';
import { accessWaysFaults } from './access/ways.ts';
import { backgroundFaults } from './background.ts';
import { brokenOperationFaults } from './broken-operations.ts';
import { countingFaults } from './counting.ts';
import { everywhereAnswersFaults } from './everywhere/answers.ts';
import { everywhereConsistentFaults } from './everywhere/consistent.ts';
import { everywhereContentFaults } from './everywhere/content.ts';
import { everywhereCornerFaults } from './everywhere/corners.ts';
import { everywhereFaults } from './everywhere/native.ts';
import { neighbourFaults } from './everywhere/neighbours.ts';
import type { Fault } from './fault.ts';
import { firstAnswerFaults } from './first-answers.ts';
import { generationAcrossProtocolsFaults } from './generation/across-protocols.ts';
import { generationAskedFaults } from './generation/asked.ts';
import { chatCompletionsFaults } from './generation/chat-completions.ts';
import { generationGenerativeFaults } from './generation/generative.ts';
import { generationMessagesFaults } from './generation/messages.ts';
import { responsesBodyFaults } from './generation/responses.ts';
import { generationResponsesStreamFaults } from './generation/responses-stream.ts';
import { situationFaults } from './generation/situations.ts';
import { streamedTextFaults } from './generation/streamed-text.ts';
import { systemoneFaults } from './generation/systemone.ts';
import { toolCallFaults } from './generation/tool-calls.ts';
import { generationToolsFaults } from './generation/tools.ts';
import { unreadInputFaults } from './generation/unread-input.ts';
import { usageFormFaults } from './generation/usage-form.ts';
import { headersFaults } from './headers.ts';
import { inputFaults } from './input.ts';
import { interruptionFaults } from './interruption.ts';
import { lastLookFaults } from './last-look.ts';
import { ledgerFaults } from './ledger.ts';
import { meteringFaults } from './metering.ts';
import { modelsFaults } from './models.ts';
import { storageContinuationFaults } from './storage/continuation.ts';
import { storageCreationModesFaults } from './storage/creation-modes.ts';
import { storageDeletionFaults } from './storage/deletion.ts';
import { storageInputItemsFaults } from './storage/input-items.ts';
import { storageResponsesFaults } from './storage/responses.ts';
import { websocketFaults } from './websocket.ts';

export type { Fault } from './fault.ts';

const inAllRegions: readonly Fault[] = [
  ...accessCredentialsFaults,
  ...accessRequestModesFaults,
  ...otherBodiesFaults,
  ...accessStoredResponsesFaults,
  ...accessTwoReasonsFaults,
  ...secondRegionFaults,
  ...accessModelsFaults,
  ...accessWaysFaults,
  ...responsesBodyFaults,
  ...generationResponsesStreamFaults,
  ...chatCompletionsFaults,
  ...generationMessagesFaults,
  ...generationGenerativeFaults,
  ...streamedTextFaults,
  ...situationFaults,
  ...systemoneFaults,
  ...generationToolsFaults,
  ...toolCallFaults,
  ...generationAskedFaults,
  ...generationAcrossProtocolsFaults,
  ...usageFormFaults,
  ...unreadInputFaults,
  ...storageResponsesFaults,
  ...storageInputItemsFaults,
  ...storageContinuationFaults,
  ...storageDeletionFaults,
  ...storageCreationModesFaults,
  ...backgroundFaults,
  ...interruptionFaults,
  ...websocketFaults,
  ...countingFaults,
  ...meteringFaults,
  ...lastLookFaults,
  ...ledgerFaults,
  ...modelsFaults,
  ...everywhereFaults,
  ...everywhereCornerFaults,
  ...firstAnswerFaults,
  ...headersFaults,
  ...everywhereContentFaults,
  ...neighbourFaults,
  ...everywhereAnswersFaults,
  ...everywhereConsistentFaults,
  ...inputFaults,
  ...brokenOperationFaults,
];

/** Every planted fault, by suite and area. */
export const faults: readonly Fault[] = [...inAllRegions, ...oneRegionFaults(inAllRegions)];
