import type { Exchange } from '../core/index.ts';
import { alteredKeys } from './altered-keys.ts';
import type { Call, CallOptions, Deployment, KeyName } from './call.ts';
import { buildRequest } from './request.ts';

export interface Again {
  readonly call: Call;
  readonly options: CallOptions;
}

const keyNames: readonly KeyName[] = [
  'owner',
  'sameUser',
  'otherUser',
  'restricted',
  'none',
  'unknown',
  ...alteredKeys,
];

/** Headers that are generated for each request. */
const ofEachRequest =
  /^(host|connection|content-length|x-client-request-id|sec-websocket-.*|upgrade)$/i;

/**
 * Returns the call that repeats a request. Null if the record is not sufficient, such as with a credential in an
 * unusual place.
 */
export function askedAgain({ id, about, request }: Exchange, deployment: Deployment): Again | null {
  const key = keyNames.find((name) => name === about.key);
  if (key === undefined || about.beside !== undefined) return null;
  const [address = '', query = ''] = request.url.split('?');
  const isSocket = /^ws/i.test(address);
  const own = request.headers.filter(([name]) => !ofEachRequest.test(name));
  const accept = own.find(([name]) => /^accept$/i.test(name))?.[1] ?? '';
  const call: Call = {
    operation: about.operation,
    protocol: about.protocol,
    method: request.method,
    path: '',
    url: address.replace(/^ws/i, 'http'),
    query: Object.fromEntries(new URLSearchParams(query)),
    // Credentials are masked in a record.
    headers: Object.fromEntries(own.filter(([, value]) => !value.includes('****'))),
    ...(request.body === null ? {} : { body: request.body }),
    expects: isSocket ? 'socket' : accept.includes('event-stream') ? 'events' : 'json',
  };
  const options: CallOptions = { key, region: about.region };
  const built = buildRequest(call, options, deployment, { id, clientRequestId: '' });
  const isSame = built.url === request.url && namesOf(built.headers) === namesOf(own);
  return isSame ? { call, options } : null;
}

function namesOf(headers: Exchange['request']['headers']): string {
  const names = headers.map(([name]) => name.toLowerCase());
  return names
    .filter((name) => !ofEachRequest.test(name))
    .sort()
    .join();
}
