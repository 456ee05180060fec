import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CredentialHeader } from './call.ts';

// Forms that official clients send beyond the specification. A gateway under judgement refuses them; one for
// developing clients accepts them: see `isMock` in its options.

export function everyCredential(names: { readonly vendorB: string }): readonly CredentialHeader[] {
  return [
    bearer,
    { header: 'x-api-key', scheme: null },
    { header: `x-${names.vendorB}-api-key`.toLowerCase(), scheme: null },
  ];
}

/** Credential header of the newest major version of the Messages clients. */
export const bearer: CredentialHeader = { header: 'authorization', scheme: 'Bearer' };

/** Encodes a model id in a path as one segment, because the generative-content clients leave its slashes unencoded. */
export function oneSegment(path: string): string {
  return path.replace(
    /^(\/v1(?:beta)?\/models\/)(.+\/.*)$/,
    (_, before: string, id: string) => before + id.replaceAll('/', '%2F'),
  );
}

/**
 * Allows pages of any origin to read the answer. No secrets are at risk: the keys are public, and the stored
 * content is generated.
 *
 * @returns true if the request was a preflight, which this function has answered
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
