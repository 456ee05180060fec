import type { Exchange } from '../../core/index.ts';
import type { SocketSession } from '../../protocols/index.ts';
import type { Secrets } from '../../redaction/index.ts';
import { frameOf } from '../../wire/index.ts';
import { frameDifference } from './stale-recording.ts';
import type { VirtualClock } from './virtual-clock.ts';

interface ReplaySocketOptions {
  readonly recorded: Exchange;
  readonly clock: VirtualClock;
  readonly secrets: Secrets;
  /** Called if the scenario sends something else than the recording has. */
  readonly stale: (difference: string) => void;
}

export function replaySocket(options: ReplaySocketOptions): SocketSession {
  const { recorded, clock, secrets, stale } = options;
  const { socket, times } = recorded;
  const frames = socket?.frames ?? [];
  const ours = frames.filter(({ from }) => from === 'us');
  let sent = 0;
  let taken = 0;
  let over = socket === null;
  const end = async (): Promise<void> => {
    over = true;
    await clock.at(times.ended);
  };
  return {
    opened: socket !== null,
    send(frame) {
      if (over) return;
      const binary = frame instanceof Uint8Array;
      const data = binary
        ? frame
        : Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame));
      const was = ours[sent++];
      // Nothing was sent to a socket that the gateway had closed.
      if (was === undefined && closedByGateway(recorded)) return;
      const difference = frameDifference({ kind: binary ? 'binary' : 'text', data }, was, secrets);
      if (difference !== null) stale(difference);
    },
    async receive(until) {
      while (!over) {
        const frame = frames[taken++];
        if (frame === undefined) return end();
        if (frame.from === 'us') continue;
        await clock.at(frame.at);
        if (until(frameOf(frame))) return;
      }
    },
    // The recording has the result of the ping.
    ping: async () => undefined,
    close: end,
    terminate() {
      over = true;
    },
    async exchange() {
      await end();
      if (sent < ours.length) {
        stale(`the suite sends ${sent} frames, recorded are ${ours.length}`);
      }
      return recorded;
    },
  };
}

function closedByGateway({ socket, failure }: Exchange): boolean {
  return socket?.close?.by === 'gateway' || failure !== null;
}
