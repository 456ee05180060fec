import { describe, expect, test } from 'vitest';
import { isTest, type Sources, sourcesOf } from './testing.ts';

// The verb of a function says to which verdict it leads: assume… to inconclusive and nothing else, expect… to
// a failure, notApplicableUnless… to not applicable. `must` is the catalogue's word, and no function's.

interface Declared {
  readonly path: string;
  readonly name: string;
  /** Without comments and the words of strings. */
  readonly body: string;
}

/** The code of a source: comments and the words of strings are blanked, and keep their length. */
function codeOf(source: string): string {
  const noise = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
  return source.replace(noise, (text) => text.replaceAll(/[^\n'"]/g, ' '));
}

/** Functions and constants that are functions, to where they end. Methods are found by their name alone. */
function declaredIn(path: string, source: string): Declared[] {
  const code = codeOf(source);
  const start =
    /^(?:export )?(?:async )?(?:function (\w+)|const (\w+)(?: = (?:async )?\(|: [^=]+ = (?:async )?\())/gm;
  return [...code.matchAll(start)].map(({ 0: head, 1: name = '', 2: constant, index }) => {
    const rest = code.slice(index + head.length);
    // In formatted code, a declaration ends at the first closing bracket in the first column that ends a
    // statement.
    const end = /^(?:\}|\)?;|\}?\)?;)$|^[})\]]+;?$/m.exec(rest)?.index ?? rest.length;
    return { path, name: constant ?? name, body: rest.slice(0, end) };
  });
}

/** The bodies of a function and of all of its own file that it calls, however far. */
function reached({ name, path, body }: Declared, all: readonly Declared[]): string {
  const seen = new Set([name]);
  let text = body;
  for (let found = true; found; ) {
    found = false;
    for (const other of all) {
      if (other.path !== path || seen.has(other.name)) continue;
      if (!new RegExp(`\\b${other.name}\\(`).test(text)) continue;
      seen.add(other.name);
      text += other.body;
      found = true;
    }
  }
  return text;
}

const blames = /\bnew \w*Expectation\w*\(|(?<![.\w])expect(?:[A-Z]\w*)?\(/;

/** Every function whose verb promises another verdict than it leads to, as a sentence. */
function brokenNames(sources: Sources): string[] {
  const shipped = [...sources].filter(([path]) => !isTest(path));
  const all = shipped.flatMap(([path, source]) => declaredIn(path, source));
  const must = shipped.flatMap(([path, source]) =>
    [...codeOf(source).matchAll(/\bmust[A-Z]\w*(?=\()/g)].map(
      ([name]) => `${path}: ${name} is called must…; say assume… or expect…`,
    ),
  );
  const verbs = all.flatMap((one) => {
    const text = reached(one, all);
    const says = (problem: string): string[] => [`${one.path}: ${one.name} ${problem}`];
    if (/^assume[A-Z]/.test(one.name)) {
      if (blames.test(text)) return says('blames; an assumption leads to inconclusive alone');
      const thrown = /\bnew (?!Inconclusive\b)\w*(?:Error|NothingToJudge)\(/.exec(text);
      if (thrown !== null) return says(`throws another thing than Inconclusive: ${thrown[0]}…)`);
    }
    if (/^expect[A-Z]/.test(one.name) && !blames.test(text)) return says('blames nobody');
    if (/^notApplicable[A-Z]/.test(one.name)) {
      if (blames.test(text) || /\bnew Inconclusive\(/.test(text)) {
        return says('leads to another verdict than not applicable');
      }
    }
    return [];
  });
  return [...must, ...verbs];
}

describe('the project', () => {
  const sources = sourcesOf('harness', 'suites');

  test('is read: assumptions and expectations are seen', () => {
    const names = [...sources].flatMap(([path, source]) => declaredIn(path, source));
    for (const verb of [/^assume[A-Z]/, /^expect[A-Z]/]) {
      expect(names.filter(({ name }) => verb.test(name)).length).toBeGreaterThan(10);
    }
  });

  test('calls its functions by what they lead to', () => {
    expect(brokenNames(sources)).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  const broken = (source: string): string[] => brokenNames(new Map([['suites/a/b.ts', source]]));

  test.each([
    `function mustBeServed(x) {\n  return x;\n}\n`,
    `mustBeServed(answer);\n`,
    `function assumeServed(x) {\n  expect(x).toBeServed();\n}\n`,
    `function assumeServed(x) {\n  expectServed(x);\n}\n`,
    `export function assumeServed({ x }: X): void {\n  throw new ExpectationFailed('a', 'b', x);\n}\n`,
    `function assumeServed(x) {\n  throw new Error('ours');\n}\n`,
    `function assumeServed(x) {\n  throw new NothingToJudge('nothing');\n}\n`,
    `function assumeServed(x) {\n  throw failed(x);\n}\n\nfunction failed(x) {\n  return new ExpectationFailed('a', 'b', x);\n}\n`,
    `const assumeServed = (x: X): void => {\n  expect(x).toBeServed();\n};\n`,
    `function expectServed(x) {\n  assumeServed(x);\n  throw new Inconclusive('no', x);\n}\n`,
    `function notApplicableUnlessServed(x) {\n  throw new Inconclusive('no', x);\n}\n`,
  ])('%s', (source) => {
    expect(broken(source)).toHaveLength(1);
  });

  test.each([
    `// expect(x) is what others do\nfunction assumeServed(x) {\n  throw new Inconclusive('expect(x)', x);\n}\n`,
    `function assumeServed(x) {\n  throw undecided(x);\n}\n\nfunction undecided(x) {\n  return new Inconclusive('a', x);\n}\n`,
    `function assumeServed(x) {\n  if (x) return;\n}\n\nfunction expectServed(x) {\n  expect(x).toBeServed();\n}\n`,
    `function expectServed(x) {\n  assumeServed(x);\n  if (x) throw new ExpectationFailed('a', 'b', x);\n}\n`,
    `function notApplicableUnlessServed(x) {\n  throw new NothingToJudge('nothing');\n}\n`,
    `const musts = count('MUST');\n`,
  ])('and what is right is not: %s', (source) => {
    expect(broken(source)).toEqual([]);
  });
});
