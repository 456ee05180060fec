import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { sampleCheck, sampleRun } from '../../kernel/core/samples/run.ts';
import { renderJson } from '../../kernel/report/json.ts';
import { listening } from '../../kernel/wire/testing-server.ts';
import { temporaryFolder } from '../../testing.ts';
import { steps } from './steps.ts';

/** A workflow's folder, in which each test begins. */
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

interface Comment {
  readonly id: number;
  readonly user: { readonly type: string };
  body: string;
}

/** Starts a server with the part of GitHub's comment API that is used. @param status of what is written */
async function fakeGitHub(comments: Comment[], status = 201) {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://here');
      asked.push(`${request.method} ${url.pathname}`);
      const isAllowed = request.headers.authorization === 'Bearer token-of-the-job';
      answer.setHeader('content-type', 'application/json');
      if (request.method === 'GET') {
        const page = Number(url.searchParams.get('page'));
        answer.end(JSON.stringify(comments.slice(100 * (page - 1), 100 * page)));
        return;
      }
      answer.statusCode = isAllowed ? status : 401;
      if (isAllowed && status < 300) {
        const { body } = JSON.parse(text);
        const id = Number(/\/issues\/comments\/(\d+)$/.exec(url.pathname)?.[1]);
        const old = comments.find((one) => one.id === id);
        if (old === undefined) comments.push({ id: 7, user: { type: 'Bot' }, body });
        else old.body = body;
      }
      answer.end('{}');
    });
  });
  return { api: `http://127.0.0.1:${await listening(server)}`, asked, comments };
}

function environment(api: string, inputs: object = {}) {
  const event = join(folder, 'event.json');
  writeFileSync(event, JSON.stringify({ pull_request: { number: 12 } }));
  return {
    INPUTS: JSON.stringify({ name: 'staging', reports: join(folder, 'reports'), ...inputs }),
    KEPT_REPORTS: join(folder, 'kept'),
    GITHUB_API_URL: api,
    GITHUB_BASE_REF: 'main',
    GITHUB_EVENT_PATH: event,
    GITHUB_REPOSITORY: 'owner/gateway',
    GITHUB_RUN_ID: '99',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_TOKEN: 'token-of-the-job',
  };
}

function writeReport(state: 'pass' | 'fail', target = ''): void {
  const found = { expected: 'an answer', actual: '404' };
  const verdict = state === 'pass' ? { state } : { state, ...found, evidence: null };
  const run = sampleRun([sampleCheck('generation/responses.shape', verdict)]);
  mkdirSync(join(folder, 'reports', target), { recursive: true });
  writeFileSync(join(folder, 'reports', target, 'report.json'), renderJson(run));
}

const post = 'POST /repos/owner/gateway/issues/12/comments';

test('what broke since the base branch was kept is commented, once, and renewed', async () => {
  // A page of other comments before ours, one of which copies the mark.
  const others = Array.from({ length: 100 }, (_, id) => ({
    id: 1000 + id,
    user: { type: 'User' },
    body: '<!-- touchstone: staging -->\nmine',
  }));
  const github = await fakeGitHub(others);
  const env = environment(github.api);
  writeReport('pass');
  expect(await steps.keep?.(env)).toBe(0);
  writeReport('fail');
  expect(await steps.compare?.(env)).toBe(0);
  const [own] = github.comments.filter(({ user }) => user.type === 'Bot');
  expect(own?.body).toMatch(/^<!-- touchstone: staging -->\n## ❌ 1 broken/);
  expect(own?.body).toContain('generation/responses.shape');
  expect(own?.body).toContain(
    'Compared with main by Touchstone: [this run](https://github.example/owner/gateway/actions/runs/99).',
  );
  expect(github.asked.filter((one) => one === post)).toHaveLength(1);

  writeReport('pass');
  expect(await steps.compare?.(env)).toBe(0);
  expect(own?.body).toContain('## ✅');
  expect(github.comments).toHaveLength(101);
  expect(github.asked.at(-1)).toBe('PATCH /repos/owner/gateway/issues/comments/7');
  expect(existsSync(env.GITHUB_STEP_SUMMARY)).toBe(false);
});

test('where it may not comment, it writes the job summary, and the step does not fail', async () => {
  const github = await fakeGitHub([], 403);
  const env = environment(github.api);
  writeReport('fail');
  expect(await steps.compare?.(env)).toBe(0);
  expect(github.asked.at(-1)).toBe(post);
  const summary = readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8');
  expect(summary).toContain('## Touchstone: NONCONFORMANT');
  expect(summary).toContain('There is no report of main yet');
});

test('a pull request whose job has no token, and one whose run judged nothing', async () => {
  const github = await fakeGitHub([]);
  const env = { ...environment(github.api), GITHUB_TOKEN: undefined };
  expect(await steps.compare?.(env)).toBe(0);
  expect(github.comments).toEqual([]);
  expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toContain('Touchstone judged nothing');
});

test('several targets are compared each with its own', async () => {
  const github = await fakeGitHub([]);
  const env = environment(github.api);
  for (const target of ['eu', 'us']) writeReport('pass', target);
  await steps.keep?.(env);
  writeReport('fail', 'us');
  await steps.compare?.(env);
  expect(github.comments[0]?.body.match(/^## .*/gm)).toEqual([
    expect.stringContaining('✅'),
    expect.stringContaining('❌'),
  ]);
});
