interface PullRequest {
  /** `https://api.github.com` */
  readonly api: string;
  /** `<owner>/<name>` */
  readonly repository: string;
  readonly number: number;
  readonly token: string;
}

/** GitHub did not carry out a request. */
export class NotCommented extends Error {
  override readonly name = 'NotCommented';
}

/** Length limit of a comment on GitHub, with room for characters that it counts as two. */
const mostCharacters = 60_000;
/** Maximum number of pages to search, with a hundred comments each. */
const mostPages = 30;

interface Comment {
  readonly id: number;
  readonly body?: string;
  readonly user?: { readonly type?: string } | null;
}

/**
 * Writes the comment of this name to a pull request, or updates the existing one.
 *
 * @throws {NotCommented} when GitHub refuses, or does not answer
 */
export async function comment(at: PullRequest, name: string, text: string): Promise<void> {
  const mark = `<!-- touchstone: ${name.replaceAll(/[^\w .-]/g, '_')} -->`;
  const body = `${mark}\n${cut(text)}`;
  const issue = `/repos/${at.repository}/issues`;
  const own = await find(at, `${issue}/${at.number}/comments`, mark);
  await (own === undefined
    ? ask(at, 'POST', `${issue}/${at.number}/comments`, { body })
    : ask(at, 'PATCH', `${issue}/comments/${own.id}`, { body }));
}

/** The comment with this mark, only if a workflow wrote it: anybody may copy the mark. */
async function find(at: PullRequest, path: string, mark: string): Promise<Comment | undefined> {
  for (let page = 1; page <= mostPages; page++) {
    const found: unknown = await ask(at, 'GET', `${path}?per_page=100&page=${page}`);
    if (!Array.isArray(found)) throw new NotCommented('GitHub answered with no list of comments');
    const comments: readonly Comment[] = found;
    const own = comments.find(
      ({ body, user }) => user?.type === 'Bot' && body?.startsWith(mark) === true,
    );
    if (own !== undefined) return own;
    if (comments.length < 100) return undefined;
  }
  return undefined;
}

async function ask(
  { api, token }: PullRequest,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(`${api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'gateway-touchstone',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    throw new NotCommented(`${method} ${path} was not answered`, { cause: error });
  }
  if (!response.ok) {
    const hint =
      response.status === 403 || response.status === 404
        ? ': the job needs the permission pull-requests: write, which a pull request of a fork never has'
        : '';
    throw new NotCommented(`${method} ${path} was answered with ${response.status}${hint}`);
  }
  return response.json();
}

function cut(text: string): string {
  if (text.length <= mostCharacters) return text;
  return `${text.slice(0, text.lastIndexOf('\n', mostCharacters))}\n\n… The rest is in the report.\n`;
}
