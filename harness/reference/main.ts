/**
 * The reference gateway as a process of its own, with one region: what a container runs.
 *
 *     node main.js --region eu --host 0.0.0.0 --port 8080
 *
 * Keys other than the fixture's come from TOUCHSTONE_KEY_OWNER, TOUCHSTONE_KEY_SAME_USER,
 * TOUCHSTONE_KEY_OTHER_USER and TOUCHSTONE_KEY_RESTRICTED: an argument list is no place for secrets.
 * Ends with 0 on SIGTERM or SIGINT, with 3 when an argument is wrong.
 */
import { parseArgs } from 'node:util';
import { startReference } from './index.ts';

function fail(message: string): never {
  console.error(`reference gateway: ${message}`);
  process.exit(3);
}

function flags() {
  try {
    return parseArgs({
      options: {
        region: { type: 'string', default: 'eu' },
        host: { type: 'string', default: '0.0.0.0' },
        port: { type: 'string', default: '8080' },
        'path-prefix': { type: 'string' },
        'vendor-a': { type: 'string', default: 'vendorA' },
        'vendor-b': { type: 'string', default: 'vendorB' },
        'latency-ms': { type: 'string' },
        'token-ms': { type: 'string' },
        'retention-days': { type: 'string' },
      },
    }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** The number that a flag names; absent when the flag is. */
function number(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const parsed = Number(value);
  if (value.trim() === '' || !Number.isFinite(parsed) || parsed < 0) {
    fail(`--${flag} ${value}: expected a number, 0 or more`);
  }
  return parsed;
}

/** What is there, without the members that are not: an absent option is not `undefined`. */
function present<T extends object>(
  options: { [Name in keyof T]: T[Name] | undefined },
): Partial<T> {
  const there: Partial<T> = {};
  for (const name in options) {
    const value = options[name];
    if (value !== undefined) there[name] = value;
  }
  return there;
}

const { region, host, ...given } = flags();
const port = number('port', given.port) ?? 0;
if (!Number.isInteger(port) || port > 65_535) fail(`--port ${port}: expected 0 to 65535`);

const gateway = await startReference({
  regions: [region],
  host,
  ports: [port],
  names: { vendorA: given['vendor-a'], vendorB: given['vendor-b'] },
  keys: present({
    owner: process.env.TOUCHSTONE_KEY_OWNER,
    sameUser: process.env.TOUCHSTONE_KEY_SAME_USER,
    otherUser: process.env.TOUCHSTONE_KEY_OTHER_USER,
    restricted: process.env.TOUCHSTONE_KEY_RESTRICTED,
  }),
  ...present({
    pathPrefix: given['path-prefix'],
    latencyMs: number('latency-ms', given['latency-ms']),
    tokenMs: number('token-ms', given['token-ms']),
    retentionDays: number('retention-days', given['retention-days']),
  }),
});
console.log(`reference gateway: region ${region} listens on ${host}, port ${port}`);

// The first process of a container gets no default action for a signal: without these it cannot be stopped.
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void gateway.close().finally(() => process.exit(0)));
}
