import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CredentialHeader } from './dialect.ts';

// Forms that official clients send beyond the specification. A gateway under judgement does not accept
// them; one for building clients does: see `isMock` in its options.

/** The three headers that clients have their key in. */
export function everyCredential(names: { readonly vendorB: string }): readonly CredentialHeader[] {
  return [
    bearer,
    { header: 'x-api-key', scheme: null },
    { header: `x-${names.vendorB}-api-key`.toLowerCase(), scheme: null },
  ];
}

/** As the Messages clients of the newest major send it. */
export const bearer: CredentialHeader = { header: 'authorization', scheme: 'Bearer' };

/** The path with the id of a model as one segment: the generative-content clients leave its slashes as they are. */
export function oneSegment(path: string): string {
  return path.replace(
    /^(\/v1(?:beta)?\/models\/)(.+\/.*)$/,
    (_, before: string, id: string) => before + id.replaceAll('/', '%2F'),
  );
}

/**
 * Lets pages of any origin read the answer. There is nothing to protect: the keys are known, and what is
 * stored is made up.
 *
 * @returns whether the request was a preflight, which is answered with that
 */
export function openToPages({ method, headers }: IncomingMessage, out: ServerResponse): boolean {
  const { origin } = headers;
  if (origin === undefined) return false;
  out.setHeader('access-control-allow-origin', '*');
  out.setHeader('access-control-expose-headers', '*');
  if (method !== 'OPTIONS') return false;
  out.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE');
  out.setHeader(
    'access-control-allow-headers',
    `${headers['access-control-request-headers'] ?? '*'}`,
  );
  out.setHeader('access-control-max-age', '600');
  out.writeHead(204).end();
  return true;
}
