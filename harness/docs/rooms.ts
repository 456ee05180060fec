/** A folder of `harness/`, or `suites`: what is in it, and which other rooms it may import. */
export interface Room {
  readonly what: string;
  readonly mayImport: readonly string[];
  /** The files that are meant, where a room is no folder. */
  readonly files?: readonly string[];
}

/**
 * Who may import whom: `harness/rooms.test.ts` holds it, and `harness/README.md` shows it. `door` is
 * `harness/index.ts`, for suites, and `package` what users import. Within a room everything may be
 * imported. `spec` is pure vocabulary, so all may speak it but those two that must not know what they
 * are judged by: the wire and the reference gateway.
 */
export const rooms: Readonly<Record<string, Room>> = {
  suites: { what: 'what must hold: scenarios and checks', mayImport: ['door'] },
  door: {
    what: 'all that suites may use of the harness',
    mayImport: ['spec', 'wire', 'clients', 'expect', 'target', 'check'],
    files: ['index.ts'],
  },
  spec: { what: 'catalogue, verdicts, vocabulary; pure', mayImport: [] },
  wire: {
    what: 'HTTP, event streams, WebSocket, limiter, recording, redaction; knows no protocol',
    mayImport: [],
  },
  clients: {
    what: 'one file per protocol: calls, credentials, endpoints',
    mayImport: ['spec', 'wire'],
  },
  expect: { what: 'expectations, stream grammars, schemas', mayImport: ['spec', 'wire'] },
  target: {
    what: 'target file, roles, starting the reference',
    mayImport: ['spec', 'wire', 'reference'],
  },
  check: {
    what: '`scenario()`, `check()`, the run',
    mayImport: ['spec', 'wire', 'clients', 'expect', 'target'],
  },
  report: { what: 'a `RunResult` for people and machines', mayImport: ['spec'] },
  bundle: {
    what: 'certificates: what is written, and how it is verified',
    mayImport: ['spec', 'wire', 'target', 'check', 'report'],
  },
  reference: { what: 'the reference gateway, with its faults and variants', mayImport: [] },
  prove: {
    what: 'the suite against faulty gateways, legal variants and servers that are no gateway',
    mayImport: ['spec', 'target', 'check', 'reference'],
  },
  cli: {
    what: 'one file per command',
    mayImport: [
      'door',
      'spec',
      'wire',
      'clients',
      'expect',
      'target',
      'check',
      'report',
      'bundle',
      'reference',
      'prove',
    ],
  },
  package: {
    what: 'what users import: a run as a function, the checks as tests in their own Vitest',
    mayImport: ['spec', 'target', 'check', 'report'],
    files: ['library.ts', 'vitest.ts'],
  },
  others: {
    what: 'mocks and gateways that other people made, to judge Touchstone by; not shipped',
    mayImport: ['spec', 'reference'],
  },
  mutation: {
    what: 'what notices a change of a judgement, mutant by mutant; not shipped',
    mayImport: ['spec', 'wire', 'target', 'check', 'reference', 'prove'],
  },
  docs: {
    what: 'the generated parts of the documentation; not shipped',
    mayImport: ['spec', 'target', 'report', 'reference', 'cli'],
  },
};
