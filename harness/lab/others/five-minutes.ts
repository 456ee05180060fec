/**
 * The first five minutes with three gateways of others, as a new user types them: how long each command
 * takes, how much it prints, and what is judged in the end. Writes five-minutes.md of this folder.
 *
 *     npm run build && node dist/harness/lab/others/five-minutes.js --before <main.js of an older build>
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { markdownTable } from 'markdown-table';
import { packageRoot, type RunResult } from '../../kernel/core/index.ts';
import { counted } from '../../kernel/report/index.ts';
import { startReference } from '../../reference/index.ts';
import { aimock } from './aimock.ts';
import { type OtherGateway, publishers } from './gateway.ts';
import { type Front, whileStarted } from './judge.ts';
import { portkey } from './portkey.ts';
import { proxies } from './proxies.ts';

const { before, beforeName, folder } = new Command('five-minutes')
  .requiredOption('--before <file>', 'main.js of the build to compare with')
  .option('--before-name <text>', 'what to call it', 'before')
  .option('--folder <path>', 'installs here; what is installed is used again')
  .parse()
  .opts<{ before: string; beforeName: string; folder?: string }>();

const [proxy] = proxies;
if (proxy === undefined) throw new Error('There is no proxy');
const three: readonly (readonly [OtherGateway, string, typeof publishers | undefined])[] = [
  [aimock, 'a mock of several protocols, two keys', undefined],
  [proxy, 'a proxy in front of the reference gateway, four keys', undefined],
  [portkey, "a gateway with the publishers' usual header names, four keys", publishers],
];

/** Commands of a new user, as in the README. */
const typed = (baseUrl: string): readonly string[] => [
  `init --base-url ${baseUrl} --generate`,
  'doctor --target touchstone.yaml',
  'plan --target touchstone.yaml',
  'run --target touchstone.yaml --json report.json',
];

interface Step {
  readonly line: string;
  readonly seconds: number;
  readonly lines: number;
  readonly code: number;
  readonly said: string;
}

interface Tried {
  readonly steps: readonly Step[];
  /** Result, or null if it came to no verdict. */
  readonly result: RunResult | null;
  readonly file: string;
}

async function tryIt(
  program: string,
  [region]: readonly Front[],
  keys: Readonly<Record<string, string>>,
): Promise<Tried> {
  const here = mkdtempSync(join(tmpdir(), 'touchstone-five-minutes-'));
  const environment = {
    PATH: process.env.PATH,
    HOME: here,
    NO_COLOR: '1',
    TOUCHSTONE_KEY: keys.owner,
    TOUCHSTONE_KEY_SAME_USER: keys.sameUser,
    TOUCHSTONE_KEY_OTHER_USER: keys.otherUser,
    TOUCHSTONE_KEY_RESTRICTED: keys.restricted,
  };
  const steps: Step[] = [];
  for (const line of typed(region?.baseUrl ?? '')) {
    const from = performance.now();
    const child = spawn(process.execPath, [program, ...line.split(' ')], {
      cwd: here,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (data: Buffer) => (said += data.toString()));
    child.stderr.on('data', (data: Buffer) => (said += data.toString()));
    const [code] = await once(child, 'close');
    steps.push({
      line,
      seconds: (performance.now() - from) / 1000,
      lines: said.trimEnd().split('\n').length,
      code,
      said: said.trimEnd().replaceAll(/node \S*main\.js/g, 'touchstone'),
    });
  }
  const at = (name: string): string | null =>
    existsSync(join(here, name)) ? readFileSync(join(here, name), 'utf8') : null;
  const report = at('report.json');
  const tried = {
    steps,
    result: report === null ? null : (JSON.parse(report) as RunResult),
    file: at('touchstone.yaml') ?? '',
  };
  rmSync(here, { recursive: true });
  return tried;
}

function judged({ result }: Tried): number {
  const { pass = 0, fail = 0, warn = 0, note = 0 } = result?.counts ?? {};
  return pass + fail + warn + note;
}

/** The protocols that the written file declares of any model. */
function protocolsIn({ file }: Tried): string {
  const names = ['responses', 'chat', 'vendorA-messages', 'vendorB', 'systemone'];
  const declared = [...file.matchAll(/protocols: *\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim()),
  );
  const listed = [...file.matchAll(/^ +- ([\w-]+)(?: #.*)?$/gm)].map(([, name = '']) => name);
  return names.filter((name) => [...declared, ...listed].includes(name)).join(', ') || 'none';
}

/** The last lines that a command printed, without what is different in each run. */
function lastOf(step: Step | undefined, most: number): string[] {
  const said = step?.said.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'URL') ?? '';
  return said.split('\n').slice(-most);
}

function section([other, what]: (typeof three)[number], old: Tried, now: Tried): string[] {
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  const sum = ({ steps }: Tried, key: 'seconds' | 'lines'): number =>
    steps.reduce((total, step) => total + step[key], 0);
  const step = (one: Step | undefined): string =>
    one === undefined
      ? ''
      : `${seconds(one.seconds)}, ${counted(one.lines, 'line')}, exit code ${one.code}`;
  const rows = [
    ...old.steps.map((one, index) => [
      `\`touchstone ${one.line.replace(/http:\S+/, 'URL')}\``,
      step(one),
      step(now.steps[index]),
    ]),
    [
      'all',
      ...[old, now].map((one) => `${seconds(sum(one, 'seconds'))}, ${sum(one, 'lines')} lines`),
    ],
    ['protocols that `init` found', protocolsIn(old), protocolsIn(now)],
    ['checks judged', ...[old, now].map((one) => String(judged(one)))],
    ...(['untestable', 'inconclusive', 'fail'] as const).map((state) => [
      `checks ${state === 'fail' ? 'failed' : state}`,
      ...[old, now].map(({ result }) => String(result?.counts[state] ?? '')),
    ]),
    ['verdict', ...[old, now].map(({ result }) => result?.verdict ?? 'none')],
    ['generations', ...[old, now].map(({ result }) => String(result?.traffic.generations ?? ''))],
  ];
  return [
    `## \`${other.name}\` ${other.version}: ${what}`,
    '',
    markdownTable([['', beforeName, 'after'], ...rows]),
    '',
    'What `init` and `run` say at their ends now:',
    '',
    '```text',
    ...lastOf(now.steps[0], 12),
    '…',
    ...lastOf(now.steps.at(-1), 8),
    '```',
    '',
  ];
}

const place = folder ?? mkdtempSync(join(tmpdir(), 'touchstone-others-'));
const programs = [before, join(packageRoot, 'dist', 'harness', 'main.js')];
const sections: string[] = [];
for (const one of three) {
  const [other, , names] = one;
  mkdirSync(join(place, other.short), { recursive: true });
  const tried: Tried[] = [];
  for (const program of programs) {
    // Each program gets a fresh upstream, so that none finds what another has stored.
    const upstream = await startReference(names === undefined ? {} : { names });
    try {
      tried.push(
        await whileStarted(other, join(place, other.short), upstream, (fronts, { keys }) =>
          tryIt(program, fronts, keys),
        ),
      );
    } finally {
      await upstream.close();
    }
  }
  const [old, now] = tried;
  if (old !== undefined && now !== undefined) sections.push(...section(one, old, now));
  process.stdout.write(`${other.name}: done\n`);
}
const page = [
  '# The first five minutes',
  '',
  'What a new user types for a gateway of somebody else, from an empty folder: time, lines printed, and what is judged in the end. Made by `harness/lab/others/five-minutes.ts`, which installs each gateway from the package registry and starts it at the loopback address. Nothing is edited by hand between the commands. Times are of one run, on a busy machine with two cores.',
  '',
  ...sections,
].join('\n');
writeFileSync(join(packageRoot, 'harness', 'lab', 'others', 'five-minutes.md'), page);
