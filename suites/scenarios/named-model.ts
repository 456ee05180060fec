import { at, type Exchange } from '../../harness/index.ts';

/** True when a request names the model: in its body, in its path, or in the first frame of a socket. */
export function namesModel({ request, socket }: Exchange, model: string): boolean {
  if (request.url.includes(`/models/${encodeURIComponent(model)}:`)) return true;
  const sent = request.body ?? socket?.frames.find(({ from }) => from === 'us')?.data ?? null;
  return sent !== null && at(JSON.parse(new TextDecoder().decode(sent)), 'model') === model;
}
