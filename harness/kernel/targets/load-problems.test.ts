import { describe, expect, test } from 'vitest';
import { readTarget } from './load.ts';
import { TargetError } from './target-error.ts';
import { capabilityIdentifiers } from './vocabulary.ts';

const environment = {
  KEY: 'canary-key-of-the-owner',
  KEY_B: 'canary-key-of-another',
  SHORT: 'tiny',
  BROKEN: 'canary-\nbroken',
};

/** The problems of a file, one line each: `line:column field: message`. */
function problemsOf(text: string): string[] {
  try {
    readTarget(text, 'bad.yaml', environment);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    expect(error.message).not.toMatch(/canary/);
    return error.problems.map(
      ({ place, field, message }) => `${place?.line}:${place?.column} ${field}: ${message}`,
    );
  }
  return [];
}

const good = `
regions:
  - { name: eu, baseUrl: https://eu.example/prefix/ }
keys:
  owner: \${KEY}
models:
  - { id: m-1, protocols: [responses] }
`;

/** A file that is right but for some lines put in place of others. */
function bad(from: string, to: string): string {
  expect(good).toContain(from);
  return good.replace(from, to);
}

describe('what is wrong with a field', () => {
  const cases: readonly [what: string, text: string, problem: string][] = [
    [
      'mistyped',
      bad('protocols: [responses] }', 'protocols: [responses], suports: [background] }'),
      '7:40 models[0].suports: `suports` is not a field of `models[0]`. Did you mean `supports`?',
    ],
    [
      'in the wrong place',
      `${good}timeoutMs: 5\n`,
      '8:1 timeoutMs: `timeoutMs` is not a field of a target file. It belongs under `limits`.',
    ],
    [
      'the header of the protocol itself',
      `${good}acceptsAlso: { messages: [x-api-key] }\n`,
      '8:27 acceptsAlso.messages[0]: "x-api-key" is unknown here. Known: bearer, vendorB-api-key.',
    ],
    [
      'a protocol for which no header is shown',
      `${good}acceptsAlso: { chat: [bearer] }\n`,
      '8:16 acceptsAlso.chat: `chat` is not a field of `acceptsAlso`. It belongs under `credentials`.',
    ],
    [
      'missing',
      bad('id: m-1, ', ''),
      '7:5 models[0].id: This field is missing. Platform model ID.',
    ],
    [
      'of the wrong type',
      bad('id: m-1', 'id: 7'),
      '7:11 models[0].id: This is a number: expected text. Put it in quotes.',
    ],
    [
      'text for a number',
      `${good}limits: { concurrency: "8" }\n`,
      '8:24 limits.concurrency: This is text ("8"): expected a whole number.',
    ],
    [
      'too small',
      `${good}limits: { maxOutputTokens: 3 }\n`,
      '8:28 limits.maxOutputTokens: This is 3: expected 16 to 1000000.',
    ],
    [
      'empty',
      bad('[responses]', '[]'),
      '7:27 models[0].protocols: The list is empty: name at least one.',
    ],
    [
      'no date',
      `${good}versionDate: 2023-6-1\n`,
      '8:14 versionDate: "2023-6-1" is not a date: write it as 2023-06-01.',
    ],
    [
      'no protocol',
      bad('[responses]', '[responses, messages]'),
      '7:39 models[0].protocols[1]: "messages" is not a protocol. Did you mean `vendorA-messages`? ' +
        'Known: responses, chat, vendorA-messages, vendorB, systemone.',
    ],
    [
      'no capability',
      bad('[responses]', '[responses], lacks: [backgroud]'),
      '7:48 models[0].lacks[0]: "backgroud" is not a capability. Did you mean `background`? ' +
        `Known: ${capabilityIdentifiers.filter((one) => !one.includes(':')).join(', ')}.`,
    ],
    [
      'supported and lacking',
      bad('[responses]', '[responses], supports: [compact], lacks: [compact]'),
      '7:69 models[0].lacks[0]: "compact" is under `supports`, too: it can only be one of them.',
    ],
    [
      'a capability of a protocol that the model does not declare',
      bad('[responses]', '[responses], supports: [count_tokens]'),
      '7:51 models[0].supports[0]: The model supports `count_tokens` but does not declare ' +
        '`vendorA-messages`: add that to `protocols`, or remove this.',
    ],
    [
      'a region of a model that there is not',
      bad('[responses]', '[responses], regions: [eu, us]'),
      '7:54 models[0].regions[1]: No region is named "us". Known: eu.',
    ],
    [
      'a model that stands twice',
      `${good}  - { id: m-1, protocols: [chat] }\n`,
      '8:11 models[1].id: A model with the id "m-1" is already defined above.',
    ],
    [
      'a region that stands twice',
      bad('keys:', '  - { name: eu, baseUrl: http://b }\nkeys:'),
      '4:13 regions[1].name: A region named "eu" is already defined above.',
    ],
    [
      'a single region of two',
      bad('keys:', '  - { name: us, baseUrl: http://us }\nsingleRegion: true\nkeys:'),
      '5:15 singleRegion: The gateway is said to have a single region, and 2 stand under `regions`: ' +
        'leave this out, or name one.',
    ],
    [
      'a claim that is none',
      bad('keys:', 'profiles: [chats]\nkeys:'),
      '4:12 profiles[0]: "chats" is unknown here. Did you mean `chat`? ' +
        'Known: chat, messages, generative, systemone, responses, responses-stored, gateway.',
    ],
    [
      'no probes, with both of them',
      `${good}withoutProbes: true\nprobes: { ledger: { url: http://a }, clock: { url: http://b } }\n`,
      '8:16 withoutProbes: Both probes stand under `probes`: leave this out, or remove one.',
    ],
    [
      'no permissions, with a key that may not use a model',
      `${bad('[responses]', '[responses], permitted: [sameUser]')}noPermissions: true\n`,
      '8:16 noPermissions: The gateway is said to have no permissions, and `permitted` of a model leaves out a key ' +
        'that is given: leave one of them out.',
    ],
    [
      'no storage, with background',
      `${bad('[responses]', '[responses], supports: [background]')}withoutStorage: true\n`,
      '8:17 withoutStorage: The gateway is said to store no responses, and a model supports `background`, whose ' +
        'responses are stored: leave one of them out.',
    ],
    [
      'no storage, and the claim of it',
      `${good}profiles: [responses-stored]\nwithoutStorage: true\n`,
      '9:17 withoutStorage: The gateway is said to store no responses, and claims `responses-stored`, which has ' +
        'stored ones: leave one of them out.',
    ],
    [
      'an address of two regions',
      bad('keys:', '  - { name: us, baseUrl: https://eu.example/prefix }\nkeys:'),
      '4:26 regions[1].baseUrl: This is the address of regions[0] too: two regions need two addresses.',
    ],
    [
      'no web address',
      bad('https://eu.example/prefix/', 'eu.example'),
      '3:26 regions[0].baseUrl: "eu.example" is not an http:// or https:// address.',
    ],
    [
      'a versioned address',
      bad('/prefix/', '/v1/'),
      '3:26 regions[0].baseUrl: The base address ends in a version: leave it out. The paths of ' +
        'the interface start with /v1 or /v1beta and are added to it.',
    ],
    [
      'an address with a password',
      bad('https://', 'https://u:canary@'),
      '3:26 regions[0].baseUrl: The address holds a user name or password: keys go under `keys`.',
    ],
    [
      'a broken address with a password',
      bad('https://eu', 'ftp://u:canary@eu'),
      '3:26 regions[0].baseUrl: This value (not shown) is not an http:// or https:// address.',
    ],
    [
      'a variable that is not set',
      bad('{KEY}', '{NO_SUCH_KEY}'),
      '5:10 keys.owner: The environment variable NO_SUCH_KEY is not set. Set it before the run: ' +
        "export NO_SUCH_KEY='<the key>'",
    ],
    [
      'a variable with a default',
      bad('{KEY}', '{KEY:-x}'),
      `5:10 keys.owner: \`\${KEY:-x}\` names no environment variable: write \`\${NAME}\`, without a default.`,
    ],
    [
      'a variable that is not closed',
      bad('{KEY}', '{KEY'),
      `5:10 keys.owner: A \`\${\` is not closed: write \`\${NAME}\`.`,
    ],
    [
      'a short key',
      bad('{KEY}', '{SHORT}'),
      '5:10 keys.owner: The key has 4 characters. One shorter than 8 cannot be masked wherever a ' +
        'response shows it, so it is taken at a loopback address only.',
    ],
    [
      'a header that checks are about',
      `${good}headers: { x-tenant: a, Content-Type: text/plain }\n`,
      '8:39 headers.Content-Type: The header `Content-Type` is what checks are about: it says how the body is ' +
        'written. Leave it out here.',
    ],
    [
      'a credential header of the gateway',
      `${good}names: { vendorB: zen }\nprotocols: { chat: { headers: { X-Zen-Api-Key: a } } }\n`,
      '9:48 protocols.chat.headers.X-Zen-Api-Key: The header `X-Zen-Api-Key` is what checks are about: it is a ' +
        'credential header: keys go under `keys`. Leave it out here.',
    ],
    [
      'a header whose variable is not set',
      `${good}headers: { x-tenant: "\${NOBODY}" }\n`,
      '8:22 headers.x-tenant: The environment variable NOBODY is not set. Set it before the run: ' +
        "export NOBODY='<its value>'",
    ],
    [
      'a header with a line break in its secret',
      `${good}headers: { x-tenant: "\${BROKEN}" }\n`,
      '8:22 headers.x-tenant: The value is empty, begins or ends with a space, or holds a character that a ' +
        'header cannot carry.',
    ],
    [
      'no name of a header',
      `${good}headers: { "x tenant": a }\n`,
      '8:12 headers.x tenant: `x tenant` is not the name of a header.',
    ],
    [
      'a place of no protocol',
      `${good}protocols: { messages: { baseUrl: /m } }\n`,
      '8:24 protocols.messages: `messages` is not a protocol. Did you mean `vendorA-messages`? Known: models, ' +
        'responses, chat, vendorA-messages, vendorB, systemone.',
    ],
    [
      'one address of a protocol for two regions',
      `${good.replace('/prefix/ }', '/prefix/ }\n  - { name: us, baseUrl: https://us.example }')}protocols: { chat: { baseUrl: https://x.example } }\n`,
      '9:31 protocols.chat.baseUrl: One address cannot stand for 2 regions: write a path such as /chat, which is ' +
        'added to the base address of each, or put this under `protocols` of a region.',
    ],
    [
      'no key',
      bad(`\${KEY}`, '""'),
      '5:10 keys.owner: This is empty. Where the gateway takes no keys at all, write `keys: none`.',
    ],
    [
      'a key with a line break',
      bad(`\${KEY}`, '"canary-12345\\n"'),
      '5:10 keys.owner: The key contains a space, a line break or another character that a header cannot carry.',
    ],
    [
      'one key for two users',
      bad('models:', `  otherUser: \${KEY}\nmodels:`),
      '6:14 keys.otherUser: This is the same key as `keys.owner`: give another one, or remove it.',
    ],
    [
      'a key in the place of its name',
      bad('models:', '  canary-1234: x\nmodels:'),
      '5:3 keys: A field here is not the name of a key. Known: owner, sameUser, otherUser, restricted.',
    ],
    [
      'a key in the place of the keys',
      bad(`keys:\n  owner: \${KEY}`, 'keys: canary-12345'),
      '4:7 keys: This is text: expected a map with the names of keys, or `none` for a gateway that takes no keys.',
    ],
    [
      'a custom System One without a body',
      `${good}systemone: { dialect: custom }\n`,
      '8:12 systemone: The dialect `custom` needs a `body`: the request that the gateway takes.',
    ],
    [
      'a body for the public System One',
      `${good}systemone: { dialect: public, body: {} }\n`,
      '8:37 systemone.body: The dialect `public` has its own body. Leave `dialect` out to send this one.',
    ],
  ];

  test.each([
    ['singleUser', 'otherUser', 'a single user'],
    ['oneKeyPerUser', 'sameUser', 'one key for each user'],
    ['oneKeyPerUser', 'restricted', 'one key for each user'],
    ['noPermissions', 'restricted', 'no permissions'],
  ])('%s, with keys.%s', (field, key, what) => {
    const text = `${bad('keys:', `keys:\n  ${key}: canary-of-the-other`)}${field}: true\n`;
    expect(problemsOf(text)).toEqual([
      expect.stringContaining(
        `${field}: The gateway is said to have ${what}, and \`keys.${key}\` is given: leave this out, or remove the key.`,
      ),
    ]);
  });

  test.each(cases)('%s', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });
});

describe('what is not YAML', () => {
  const cases: readonly [text: string, problem: string][] = [
    [
      `keys: { owner: \${KEY} }`,
      `1:17 : This is not valid YAML: inside { } and [ ], a \${VARIABLE} goes in quotes: "\${VARIABLE}".`,
    ],
    ['name: "canary', '1:14 : This is not valid YAML: Missing closing "quote.'],
    [
      'name: a\n---\nname: b',
      '2:1 : A second document starts here: a target file describes one target, without `---`.',
    ],
    ['name: a\nname: b', '2:1 : This field is given twice: remove one of them.'],
    ['\tname: a', '1:1 : This line is indented with a tab: YAML needs spaces.'],
    [
      'name: *canary',
      '1:7 : This is not valid YAML: `*name` refers to an anchor `&name` that is not defined before it.',
    ],
  ];

  test.each(cases)('%j', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });
});

test('tells all problems at once, in the order of the file', () => {
  expect(
    problemsOf('regions: []\nmodels:\n  - id: x\n    lacks: [y]\n').map((p) => p.split(': ')[0]),
  ).toEqual(['1:1 keys', '1:10 regions', '3:5 models[0].protocols', '4:13 models[0].lacks[0]']);
  expect(problemsOf('')).toHaveLength(3);
  expect(problemsOf('just text')).toEqual([
    '1:1 : This is text ("just text"): expected a map of fields.',
  ]);
});
