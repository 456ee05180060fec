import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { asObject, packageRoot, parsed } from '../../kernel/core/index.ts';
import type { ClientInstall } from '../clients/clients.ts';
import { installClient, nodeOf } from '../clients/judge.ts';

/** The calls of each driver's client, in `calls/`. */
const callsOf: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  'google-genai': 'genai',
  'ai-sdk': 'ai-sdk',
  langchain: 'langchain',
  'openai-agents': 'agents',
};

/** Package that the WebSocket of the OpenAI client needs in Node. */
const beside = { ws: '8.23.0' };

export function hasCalls({ driver }: ClientInstall): boolean {
  return Object.hasOwn(callsOf, driver);
}

/** Error of each call, or null if there was none. */
type Said = Readonly<Record<string, string | null>>;

export interface Driven {
  readonly client: ClientInstall;
  calls(at: Readonly<Record<string, string>>): Promise<Said>;
  close(): void;
}

const callsFolder = join(packageRoot, 'harness', 'lab', 'clients-drive', 'calls');

/** Installs a client, and starts what performs its calls. */
export async function drive(client: ClientInstall, folder: string): Promise<Driven> {
  await installClient({ ...client, packages: { ...client.packages, ...beside } }, folder);
  const script = `${callsOf[client.driver]}.mjs`;
  for (const file of [script, 'perform.mjs']) {
    copyFileSync(join(callsFolder, file), join(folder, file));
  }
  return { client, ...startCalls(script, folder, await nodeOf(client)) };
}

/** Starts a script of `calls/`, with the clients that its folder has. */
export function startCalls(
  script: string,
  folder = callsFolder,
  node = process.execPath,
): Omit<Driven, 'client'> {
  const child: ChildProcess = spawn(node, [join(folder, script)], {
    cwd: folder,
    // Some variants speak TLS, with a certificate of an unknown authority.
    env: { PATH: process.env.PATH, HOME: folder, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error(`${script} has no streams.`);
  stdin.on('error', () => {});
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    async calls(at) {
      stdin.write(`${JSON.stringify(at)}\n`);
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`${script} has ended.`);
        if (!value.startsWith('{')) continue;
        return Object.fromEntries(
          Object.entries(asObject(parsed(value))).map(([name, said]) => [
            name,
            typeof said === 'string' ? said : null,
          ]),
        );
      }
    },
    close: () => void child.kill(),
  };
}
