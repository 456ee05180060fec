import { describe, expect, test } from 'vitest';
import { parseSources, parseSpecification } from './specification.ts';

const page = `# A page

Revision 3, 2026-02-01

- <a id="auth-1"></a>**AUTH-1** Every request carries a \`key\`.
- <a id="auth-gap-1"></a>**AUTH-GAP-1** Not specified: how keys are issued.
`;

describe('a specification', () => {
  test('has a revision, a digest, and clauses with their anchors', () => {
    expect(parseSpecification(page)).toEqual({
      revision: 3,
      date: '2026-02-01',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      clauses: [
        {
          id: 'AUTH-1',
          kind: 'clause',
          text: 'Every request carries a `key`.',
          link: 'fixtures/specification.md#auth-1',
        },
        {
          id: 'AUTH-GAP-1',
          kind: 'gap',
          text: 'Not specified: how keys are issued.',
          link: 'fixtures/specification.md#auth-gap-1',
        },
      ],
    });
  });

  test.each([
    ['no revision', page.replace('Revision 3', 'Version 3'), 'expected a line "Revision N'],
    ['no clauses', 'Revision 3, 2026-02-01\n', 'no clauses'],
    ['another anchor', page.replace('id="auth-1"', 'id="auth-9"'), 'AUTH-1 has the anchor'],
    ['a clause twice', `${page}- <a id="auth-1"></a>**AUTH-1** Again.\n`, 'AUTH-1 stands twice'],
    ['half a clause', `${page}- <a id="auth-2"></a> Lost.\n`, 'not a clause'],
  ])('%s is refused', (_, text, said) => {
    expect(() => parseSpecification(text)).toThrow(said);
  });
});

describe('sources', () => {
  const entry = {
    id: 'messages-create',
    title: 'Messages: create',
    url: 'https://docs.example/messages',
    read: '2026-02-01',
    for: 'The members of a request.',
  };

  test('are documents', () => {
    expect(parseSources([entry])).toEqual([entry]);
  });

  test.each([
    ['no list', entry, 'expected a list'],
    ['no document', ['page'], 'entry 1: expected a document'],
    ['no title', [{ ...entry, title: ' ' }], '"title" is missing'],
    ['another field', [{ ...entry, note: 'x' }], 'unknown field "note"'],
    ['an id in capitals', [{ ...entry, id: 'Messages' }], 'kebab case'],
    ['no address', [{ ...entry, url: 'docs.example' }], 'https://'],
    ['no day', [{ ...entry, read: 'yesterday' }], '"read" is a day'],
    ['an id twice', [entry, entry], 'messages-create stands twice'],
  ])('%s is refused', (_, value, said) => {
    expect(() => parseSources(value)).toThrow(said);
  });
});
