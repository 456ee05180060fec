import { aimock } from './aimock.ts';
import { claudeCodeRouter } from './claude-code-router.ts';
import type { OtherGateway } from './gateway.ts';
import { mockLlm } from './mock-llm.ts';
import { openaiMockApi } from './openai-mock-api.ts';
import { portkey } from './portkey.ts';

/** All that are judged: mocks of the vendors' interfaces first, then gateways before an upstream. */
export const otherGateways: readonly OtherGateway[] = [
  aimock,
  mockLlm,
  openaiMockApi,
  portkey,
  claudeCodeRouter,
];
