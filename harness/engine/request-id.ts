import { createHash } from 'node:crypto';

/**
 * The `X-Client-Request-Id` of an exchange: fresh in every run, because a ledger keeps what an
 * earlier run with the same seed has sent, and the same again when a recording is judged anew.
 */
export function clientRequestId(runId: string, exchangeKey: string): string {
  const digest = createHash('sha256').update(`${runId}\0${exchangeKey}`).digest('hex');
  return `ts-${digest.slice(0, 32)}`;
}
