import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import {
  adapterFile,
  environmentOf,
  type ScriptedGateway,
  startScriptedGateway,
  taskLine,
  toldOf,
} from '../../features/client/index.ts';
import type { ScriptedAnswer } from '../../features/sessions/index.ts';
import { exchangeId, type Protocol, streamingProtocols } from '../../kernel/core/index.ts';
import { startClock } from '../../kernel/wire/index.ts';
import type { ClientInstall } from './clients.ts';
import { nodeOf } from './judge.ts';

/** Ends of a stream after some text, and before its regular end. No check judges yet what a client reports of them. */
export const endings: Readonly<Record<string, ScriptedAnswer>> = {
  'the connection is cut': { kind: 'cut-stream', events: 6 },
  'an error event': { kind: 'error-in-stream', events: 6 },
  'a clean end without the last event': { kind: 'ends-early', events: 6 },
};

/** Outcomes that a client reports for an incomplete stream, one for each way in which it ends. */
export interface Told {
  readonly client: ClientInstall;
  readonly protocol: Protocol;
  readonly outcomes: readonly string[];
}

/** Asks a client that is installed in a folder for streams that are not whole, at its defaults. */
export async function toldOfCuts(client: ClientInstall, folder: string): Promise<Told[]> {
  const gateway = await startScriptedGateway(startClock(), () => {});
  try {
    const told: Told[] = [];
    for (const protocol of streamingProtocols) {
      const outcomes: string[] = [];
      for (const answer of Object.values(endings)) {
        outcomes.push(await outcomeOf({ client, folder, gateway, protocol, answer }));
      }
      if (!outcomes.includes('unsupported')) told.push({ client, protocol, outcomes });
    }
    return told;
  } finally {
    await gateway.close();
  }
}

interface Asking {
  readonly client: ClientInstall;
  readonly folder: string;
  readonly gateway: ScriptedGateway;
  readonly protocol: Protocol;
  readonly answer: ScriptedAnswer;
}

async function outcomeOf({ client, folder, gateway, protocol, answer }: Asking): Promise<string> {
  const start = { protocol, stream: true, script: { answer } };
  const stage = await gateway.stage(
    exchangeId({ scenario: answer.kind, lane: protocol }),
    'tulip',
    start,
  );
  const told = toldOf(stage, start);
  const child = spawn(await nodeOf(client), [adapterFile(client.driver)], {
    cwd: folder,
    env: { ...environmentOf(told, process.env, null) },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 60_000,
  });
  child.stdin.on('error', () => {}).end(taskLine(told, stage, start));
  const last = (await text(child.stdout)).trimEnd().split('\n').at(-1) ?? '';
  // A client that prints nothing has ended by an error.
  const said = last.startsWith('{') ? JSON.parse(last) : { outcome: 'failed' };
  return said.unsupported ? 'unsupported' : said.outcome;
}
