/** A folder of `harness/`, or a layer of `suites/`: what is in it, and which others it may import. */
export interface Layer {
  readonly what: string;
  readonly mayImport: readonly string[];
  /** The files that are meant, where a layer is no folder. */
  readonly files?: readonly string[];
}

/**
 * Allowed imports between layers: `harness/layers.test.ts` enforces them, and `harness/README.md` shows
 * them. `suites/scenarios` is the lower layer of the suites, and every other folder there a suite of the
 * upper one; suites do not import each other. `index` is `harness/index.ts`, all that suites may use.
 * Within a layer everything may be imported.
 */
export const layers: Readonly<Record<string, Layer>> = {
  suites: {
    what: 'what must hold: checks, and the scenarios that only they judge',
    mayImport: ['scenarios', 'index'],
  },
  scenarios: { what: 'what is sent, for several suites', mayImport: ['index'] },
  index: {
    what: 'all that suites may use of the harness',
    mayImport: ['core', 'model', 'wire', 'protocols', 'judge', 'target', 'engine'],
    files: ['index.ts'],
  },
  core: {
    what: 'exchange, catalogue, verdicts, vocabulary; pure',
    mayImport: [],
  },
  model: {
    what: 'the specification as a function: who may do what with which response; and where that is tried',
    mayImport: ['core'],
  },
  wire: {
    what: 'HTTP, event streams, WebSocket, limiter, recording, redaction; knows no protocol',
    mayImport: ['core'],
  },
  protocols: {
    what: 'all that is known of each protocol: endpoints, credential, client, acts, content, stream grammar',
    mayImport: ['core', 'model', 'wire'],
  },
  judge: { what: 'expectations, assumptions, wording', mayImport: ['core', 'wire', 'protocols'] },
  target: {
    what: 'target file, roles, the embedded reference as a target',
    mayImport: ['core', 'wire', 'reference'],
  },
  containers: {
    what: 'the reference gateway in containers',
    mayImport: ['core', 'target', 'reference'],
  },
  engine: {
    what: '`scenario()`, `check()`, the run',
    mayImport: ['core', 'model', 'wire', 'protocols', 'judge', 'target'],
  },
  explore: {
    what: 'random histories, compared with the specification, and made short',
    mayImport: ['core', 'model', 'wire', 'protocols', 'judge', 'target', 'engine'],
  },
  client: {
    what: 'the client mode: the scripted gateway, the starts of a command, the run',
    mayImport: ['core', 'wire', 'protocols', 'judge', 'target', 'engine', 'reference'],
  },
  report: { what: 'a `RunResult` for people and machines', mayImport: ['core'] },
  certificate: {
    what: 'certificates: what is written, and how it is verified',
    mayImport: ['core', 'wire', 'target', 'engine', 'report'],
  },
  reference: { what: 'the reference gateway: dialects, policy, seams', mayImport: [] },
  proof: {
    what: 'the suite against planted faults, legal variants, null targets and transient failures',
    mayImport: ['core', 'model', 'target', 'engine', 'explore', 'client', 'reference'],
  },
  onboarding: {
    what: 'what `init` and `doctor` find out about a gateway',
    mayImport: ['core', 'wire', 'protocols', 'judge', 'target', 'report', 'terminal'],
  },
  observe: {
    what: 'exchanges that no run has sent: a proxy between clients and a gateway, HAR files',
    mayImport: ['core', 'wire', 'protocols', 'target', 'engine'],
  },
  terminal: {
    what: 'what commands print and write: progress, findings, report files, errors',
    mayImport: ['core', 'wire', 'target', 'engine', 'report', 'certificate'],
  },
  commands: {
    what: 'one file per command, with their options',
    mayImport: [
      'index',
      'core',
      'model',
      'wire',
      'protocols',
      'judge',
      'target',
      'containers',
      'engine',
      'client',
      'explore',
      'report',
      'certificate',
      'reference',
      'proof',
      'onboarding',
      'observe',
      'terminal',
    ],
  },
  adapters: {
    what: 'what users import: a run as a function, the checks as tests in their own Vitest',
    mayImport: [
      'core',
      'protocols',
      'target',
      'engine',
      'report',
      'certificate',
      'reference',
      'proof',
      'onboarding',
      'terminal',
    ],
  },
  github: {
    what: 'what the GitHub Action runs: its inputs as a command line, the comment on a pull request',
    mayImport: ['core', 'report', 'commands', 'terminal'],
  },
  lab: {
    what: 'mutation testing, hostile gateways, other people’s gateways and clients, benchmarks, lines of Node; not shipped',
    mayImport: [
      'core',
      'wire',
      'target',
      'engine',
      'explore',
      'client',
      'report',
      'reference',
      'proof',
      'commands',
    ],
  },
  docs: {
    what: 'the generated parts of the documentation; not shipped',
    mayImport: [
      'core',
      'target',
      'client',
      'report',
      'certificate',
      'reference',
      'proof',
      'commands',
      'github',
      'terminal',
    ],
  },
};
