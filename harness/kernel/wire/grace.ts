import type { ExchangeFailure } from '../core/index.ts';
import type { WireOptions } from './request.ts';
import { stoppedBy } from './stopping.ts';

const defaultGraceMs = 5_000;

/**
 * Ends an exchange that is still in flight some time after the run is stopped.
 *
 * @param host `127.0.0.1:8080`, for the message
 * @returns to be called when the exchange has ended
 */
export function endSoonAfterStop(
  { stop, graceMs = defaultGraceMs }: WireOptions,
  host: string,
  end: (failure: ExchangeFailure) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stopped = (): void => {
    const { kind, words, graceMs: own } = stoppedBy(stop);
    const most = own ?? graceMs;
    const message = `${words}, and ${host} had not responded in full ${Math.round(most)} ms later`;
    timer = setTimeout(() => end({ kind, message }), most);
  };
  if (stop?.aborted === true) stopped();
  else stop?.addEventListener('abort', stopped, { once: true });
  return () => {
    stop?.removeEventListener('abort', stopped);
    clearTimeout(timer);
  };
}
