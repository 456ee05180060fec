import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetFileOf } from '../../kernel/targets/index.ts';
import { startReference } from '../../reference/index.ts';
import { called } from './called.ts';

/** A file that a stranger may give, and the command that reads it. */
export interface Subject {
  readonly id: string;
  readonly good: string;
  /**
   * Returns the command line that reads the file.
   * @param path of the spoiled file; a spoiled file of a bundle stands in a copy of it
   */
  readonly line: (path: string) => readonly string[];
  /** Folder that is copied, and in which the spoiled file takes the place of the good one. */
  readonly bundle?: string;
}

const bundled = [
  ...['report.json', 'exchanges.jsonl', 'client.json', 'environment.json', 'attestation.json'],
  'SHA256SUMS',
];

const headers = [{ name: 'content-type', value: 'application/json' }];
const har = {
  log: {
    entries: [
      {
        startedDateTime: '2026-11-23T10:00:01.000Z',
        time: 500,
        request: {
          ...{ method: 'POST', url: 'https://gateway.example/v1/responses', headers },
          postData: { text: '{"model":"m","input":"Hi."}' },
        },
        response: { status: 200, headers, content: { text: '{}' } },
      },
    ],
  },
};

export async function subjectsIn(folder: string): Promise<readonly Subject[]> {
  const at = (name: string): string => join(folder, name);
  const write = (name: string, text: string): string => {
    writeFileSync(at(name), text);
    return at(name);
  };
  const gateway = await startReference();
  const target = write('target.yaml', targetFileOf(gateway));
  await gateway.close();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = (key: typeof publicKey, type: 'spki' | 'pkcs8'): string =>
    key.export({ type, format: 'pem' }).toString();
  const signing = write('key.pem', pem(privateKey, 'pkcs8'));
  const reference = ['--reference', 'embedded', '--seed', '1', '--quiet'];
  const prepared = async (...line: readonly string[]): Promise<void> => {
    const { code, printed } = await called(line, { mostSeconds: 300 });
    if (![0, 1, 2].includes(code ?? -1))
      throw new Error(`${line[0]} ended with ${code}: ${printed}`);
  };
  const few = ['generation/messages', 'storage/messages'];
  await prepared('run', ...reference, '--record', at('run'), '--json', at('report'), ...few);
  for (const part of [1, 2]) {
    const into = ['--shard', `${part}/2`, '--json', at(`part-${part}`)];
    await prepared('run', ...reference, ...into, ...few);
  }
  await prepared('explore', ...reference.slice(0, 4), '--generations', '6', '--record', at('acts'));
  await prepared(
    ...['client', '--adapter', 'openai', '--speaks', 'chat-completions', '--seed', '1', '--quiet'],
    ...['--certify', at('bundle'), '--key', signing],
  );
  const policy = write('policy.yaml', 'maxAgeDays: 30\n');
  const known = write('known.txt', '# A note.\ngeneration/messages.shape\n');
  const script = write('script.yaml', 'rules:\n  - text: Hi.\n');
  const key = write('public.pem', pem(publicKey, 'spki'));
  const subject = (id: string, good: string, ...line: readonly string[]): Subject => ({
    ...{ id, good, line: (path) => line.map((word) => (word === '{}' ? path : word)) },
  });
  const recheck = ['recheck', at('run'), '--quiet'];
  const verify = ['verify', at('bundle')];
  const subjects: readonly Subject[] = [
    subject('recording', at('run'), 'recheck', '{}', '--quiet'),
    subject('exploration', at('acts'), 'recheck', '{}'),
    subject('old-report', at('report'), 'diff', '{}', at('report')),
    subject('merged-report', at('part-1'), 'merge', '{}', at('part-2'), '--quiet'),
    subject('har', write('har', JSON.stringify(har)), 'observe', '--har', '{}'),
    subject('target', target, 'plan', '--target', '{}'),
    subject('script', script, 'serve', '--port', '0', '--script', '{}'),
    subject('known-failures', known, ...recheck, '--known-failures', '{}'),
    subject('policy', policy, ...verify, '--policy', '{}'),
    subject('public-key', key, ...verify, '--public-key', '{}'),
    ...bundled.map((name) => ({
      ...subject(`bundle-${name}`, join(at('bundle'), name), 'verify', '{}'),
      bundle: at('bundle'),
    })),
  ];
  // An attack says nothing where even the good file is refused.
  for (const { id, good, bundle, line } of subjects) {
    if (id !== 'script') await prepared(...line(bundle ?? good));
  }
  return subjects;
}

/** Returns the path of a file to spoil, and the one to name to the command. */
export function placeFor({ bundle, good }: Subject, folder: string) {
  if (bundle === undefined) return { file: join(folder, 'file'), named: join(folder, 'file') };
  const copy = join(folder, 'bundle');
  mkdirSync(copy);
  cpSync(bundle, copy, { recursive: true });
  return { file: join(copy, good.slice(bundle.length + 1)), named: copy };
}
