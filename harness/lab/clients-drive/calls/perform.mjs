/**
 * Performs calls, for `npm run clients-drive`: a line of standard input is where a gateway stands, the line of
 * standard output that answers it says of each call null, or what was wrong.
 */
import { createInterface } from 'node:readline';

const patience = 20_000;

/**
 * @param callsAt the calls of a client, by name, at one gateway; each throws when it is not served. Only a
 *   gateway that says its `restricted` key has to refuse that one with 403.
 */
export async function perform(callsAt) {
  // An error that a client throws outside of its call is a finding too, and no reason to stop.
  let loose = null;
  process.on('uncaughtException', (error) => (loose = error));
  process.on('unhandledRejection', (error) => (loose = error));
  for await (const line of createInterface({ input: process.stdin })) {
    loose = null;
    const calls = Object.entries(await callsAt(JSON.parse(line)));
    const said = await Promise.all(calls.map(([name, call]) => one(name, call)));
    if (loose !== null) said.push(['outside of any call', text(loose)]);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(said))}\n`);
  }
  process.exit(0);
}

async function one(name, call) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no end')), patience);
  });
  try {
    await Promise.race([call(), late]);
    return [name, null];
  } catch (error) {
    return [name, text(error)];
  } finally {
    clearTimeout(timer);
  }
}

function text(error) {
  return `${error?.name ?? 'Error'}: ${error?.message ?? error}`
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300);
}

/** Throws unless it holds. */
export function holds(is, what) {
  if (!is) throw new Error(`not so: ${what}`);
}

/** The error of a call that has to be refused. */
export async function refused(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('was served, and had to be refused');
}

export const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
export const weather = 'What is the weather in Paris?';
export const short = 'Say something about Lisbon.';
export const long = 'Write 400 words about rivers.';
/** Image of a single grey pixel. */
export const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
