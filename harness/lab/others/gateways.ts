import { aimock } from './aimock.ts';
import { claudeCodeRouter } from './claude-code-router.ts';
import type { OtherGateway } from './gateway.ts';
import { llmRouter } from './llm-router.ts';
import { llmops } from './llmops.ts';
import { llms } from './llms.ts';
import { mockai, mockLlm, openaiMockApi } from './mock-llm.ts';
import { nullplatform } from './nullplatform.ts';
import { portkey } from './portkey.ts';
import { proxies } from './proxies.ts';

/** All that are judged: mocks of the vendors' interfaces first, then gateways before an upstream. */
export const otherGateways: readonly OtherGateway[] = [
  ...[aimock, mockLlm, openaiMockApi, mockai],
  ...[portkey, llmops, claudeCodeRouter, llms, nullplatform],
  ...proxies,
];

/** Gateways whose upstream side is judged: how they ask their provider. */
export const askingGateways: readonly OtherGateway[] = [
  ...otherGateways.filter(({ asksProvider }) => asksProvider === true),
  llmRouter,
];
