// What all regions share: users, keys, models, and the ledger.

import { randomBytes } from 'node:crypto';

const everything = [
  ...['background', 'compact', 'input_tokens', 'websocket', 'count_tokens', 'vendorB-count'],
  ...['tools', 'stream', 'stop', 'structured_output', 'logprobs', 'candidates', 'images'],
];
const everyProtocol = ['responses', 'vendorA-messages', 'vendorB', 'chat', 'systemone'];
const anyone = ['owner', 'sameUser', 'otherUser'];

function model(id, protocols, supports, permitted = anyone) {
  return {
    id,
    protocols,
    supports,
    lacks: everything.filter((one) => !supports.includes(one)),
    permitted,
  };
}

const without = (...names) => everything.filter((one) => !names.includes(one));

export const models = [
  model('second-all', everyProtocol, everything),
  model('second-none', everyProtocol, []),
  model(
    'second-responses',
    ['responses'],
    without('count_tokens', 'vendorB-count', 'stop', 'candidates'),
  ),
  model(
    'second-messages',
    ['vendorA-messages'],
    ['count_tokens', 'tools', 'stream', 'stop', 'structured_output', 'images'],
  ),
  model(
    'second-generative',
    ['vendorB'],
    [
      'vendorB-count',
      'tools',
      'stream',
      'stop',
      'structured_output',
      'logprobs',
      'candidates',
      'images',
    ],
  ),
  model(
    'second-chat',
    ['chat'],
    ['tools', 'stream', 'stop', 'structured_output', 'logprobs', 'candidates', 'images'],
  ),
  model('second-systemone', ['systemone'], []),
  model('acme/second: model 1', everyProtocol, everything),
  model('second-open', everyProtocol, everything, [...anyone, 'restricted']),
];

export function createWorld(faults = new Set()) {
  const keys = new Map();
  const keyOf = (role, user) => {
    const value = `sk-second-${randomBytes(18).toString('hex')}`;
    keys.set(value, { role, user, value });
    return value;
  };
  const roles = {
    owner: keyOf('owner', 'ada'),
    sameUser: keyOf('sameUser', 'ada'),
    otherUser: keyOf('otherUser', 'ben'),
    restricted: keyOf('restricted', 'ada'),
  };
  const byId = new Map(models.map((one) => [one.id, one]));
  const records = [];
  return {
    roles,
    faulty: (name) => faults.has(name),
    keyOf(value) {
      const prefix = value.slice(0, 20);
      const alike =
        faults.has('key-by-prefix') && [...keys.keys()].find((one) => one.startsWith(prefix));
      return keys.get(prefix.length < 20 ? value : alike || value) ?? null;
    },
    modelOf: (id) => byId.get(id) ?? null,
    modelsFor: ({ role }) => models.filter(({ permitted }) => permitted.includes(role)),
    records,
    /** Opens the financial record of a request. It stays, whatever becomes of the request. */
    open(request, operation, id, { id: modelId }) {
      const kind =
        operation === 'count' && faults.has('count-recorded-as-generation')
          ? 'generation'
          : operation;
      const record = {
        client_request_id: request.headers['x-client-request-id'] ?? null,
        ...{ id, operation: kind, status: 'in_progress', model: modelId },
        ...{ usage: { input_tokens: 0, output_tokens: 0 }, charge: 0 },
      };
      records.push(record);
      return {
        counted(input, output) {
          record.usage = { input_tokens: input, output_tokens: output };
          if (kind !== 'count') record.charge = input + 2 * output;
        },
        closed(status) {
          record.status = status;
        },
      };
    },
  };
}
