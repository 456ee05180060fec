import { expect, test } from 'vitest';
import { checkedScript, parseScript } from './script-file.ts';

function unexpected(warning: string): void {
  throw new Error(`A warning: ${warning}`);
}

test('warns of a rule that no request reaches, and says where both stand', () => {
  const text = `
rules:
  - when: { model: [a, b] }
    text: Hello.
  - when: { model: a, turn: 2 }
    text: Hello again.
  - when: { protocol: systemone }
    text: Hello.`;
  const warnings: string[] = [];
  parseScript(text, 'answers.yaml', (warning) => void warnings.push(warning));
  expect(warnings).toEqual([
    'answers.yaml:5:5  rules[1]\n  No request reaches this: whatever fits it fits rules[0] in line 3 before it.',
    expect.stringContaining(
      'answers.yaml:7:5  rules[2]\n  No request reaches this: nothing is asked',
    ),
  ]);
});

test('warns of one in code, too', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  checkedScript({ rules: [{ text: 'a' }, { when: { says: /b/ }, text: 'b' }] });
  expect((await warned).message).toContain('rules[1]');
});

function problems(text: string): string {
  try {
    parseScript(text, 'answers.yaml', unexpected);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('reads a script', () => {
  const text = `
# yaml-language-server: $schema=./script.schema.json
rules:
  - when: { says: [weather, /sun+y/i], turn: 1 }
    call: { name: get_weather, arguments: { city: Paris } }
    cut: { bytes: 10 }
  - text: Hello.
    error: { status: 529, after: 3 }
otherwise: { error: { status: 404 } }`;
  expect(parseScript(text, 'answers.yaml', unexpected)).toMatchObject({
    rules: [
      { call: { arguments: { city: 'Paris' } }, cut: { bytes: 10 } },
      { text: 'Hello.', error: { after: 3 } },
    ],
    otherwise: { error: { status: 404 } },
  });
});

test.for([
  [
    'rules:\n  - txt: Hi',
    'answers.yaml:2:5  rules[0].txt\n  `txt` is not a field of `rules[0]`. Did you mean `text`?',
  ],
  [
    'rules:\n  - when: { protocol: mesages }\n    text: Hi',
    '2:23  rules[0].when.protocol\n  "mesages" is unknown here. Did you mean `messages`?',
  ],
  ['rules:\n  - when: { key: [ownr] }\n    text: Hi', 'Did you mean `owner`?'],
  [
    'rules:\n  - text: Hi\n    call: { name: a }\n    value: 1',
    '4:5  rules[0].value\n  There is `text` already: choose one of them.',
  ],
  [
    'rules:\n  - when: { says: /(/ }\n    text: Hi',
    '2:19  rules[0].when.says\n  Invalid regular expression',
  ],
  ['rules:\n  - error: { status: 200 }', 'This is 200: expected 400 to 599.'],
  ['rules:\n  - pace: { jitter: 2 }', 'This is 2: expected 0 to 1.'],
  [
    'rules:\n  - headers: { x a: b }',
    '2:16  rules[0].headers.x a\n  `x a` is not the name of a header.',
  ],
  ['rules:\n  - text: [Hi', 'answers.yaml:2:'],
  ['{}', 'This field is missing.'],
] as const)('%j', ([text, told]) => {
  expect(problems(text)).toContain(told);
});

test('a file that is not there is told', async () => {
  const { loadScript } = await import('./script-file.ts');
  expect(() => loadScript('nowhere.yaml')).toThrow('nowhere.yaml has a problem');
});

test('a script that is made in code is checked, too', () => {
  const rule = { when: { says: [/a "b" \/c/i, 'd'] }, text: 'Hi' };
  const script = { rules: [rule] };
  expect(checkedScript(script)).toBe(script);
  const wrong = { rules: [rule, { ...rule, txt: 'Hi' }] };
  expect(() => checkedScript(wrong)).toThrow(
    'The script  rules[1].txt\n  `txt` is not a field of `rules[1]`. Did you mean `text`?',
  );
});
