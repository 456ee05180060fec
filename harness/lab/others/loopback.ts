/**
 * Loaded into another's process before its own code: whatever address it would listen at, it listens
 * at the loopback address, so that nobody in the network can use it.
 */
import { Server } from 'node:net';

const listen = Server.prototype.listen;

Server.prototype.listen = function onLoopback(this: Server, ...given: unknown[]): Server {
  const [first, ...rest] = given;
  const callback = rest.findLast((one) => typeof one === 'function');
  const options =
    typeof first === 'object' && first !== null ? first : { port: Number(first ?? 0) };
  Reflect.apply(listen, this, [{ ...options, host: '127.0.0.1' }, callback]);
  return this;
};
