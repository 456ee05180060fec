/** A room of `harness/`, or a layer of `suites/`: what is in it, and which others it may import. */
export interface Layer {
  readonly what: string;
  readonly mayImport: readonly string[];
  /** Its folder or its files, from `harness/` or `suites/`. */
  readonly files: readonly string[];
}

/** Rooms that every room that sends or judges may import. */
const basis = ['core', 'model', 'redaction', 'wire', 'protocols', 'judge', 'targets'] as const;

/** Rooms of the kernel, each with the rooms that it may import. It imports no feature. */
const kernel = {
  core: { what: 'exchange, catalogue, verdicts, vocabulary; pure', mayImport: [] },
  model: {
    what: 'the specification as a function: who may do what with which response; and where that is tried',
    mayImport: ['core'],
  },
  redaction: { what: 'finds and masks secrets, for the whole project', mayImport: ['core'] },
  wire: {
    what: 'HTTP, event streams, WebSocket, limiter, recording; knows no protocol',
    mayImport: ['core', 'redaction'],
  },
  protocols: {
    what: 'all that is known of each protocol: endpoints, credential, client, acts, content, stream grammar',
    mayImport: ['core', 'model', 'redaction', 'wire'],
  },
  judge: {
    what: 'expectations, assumptions, wording',
    mayImport: ['core', 'redaction', 'wire', 'protocols'],
  },
  targets: {
    what: 'target file, roles, the embedded reference as a target',
    mayImport: ['core', 'redaction', 'wire', 'reference'],
  },
  drawn: {
    what: 'what follows from the seed of a run: names, words and texts of its requests, and their ids',
    mayImport: ['core', 'wire', 'protocols', 'judge'],
  },
  recordings: {
    what: 'the exchanges of a run as a file, and with whom they were',
    mayImport: ['core', 'redaction', 'wire', 'targets'],
  },
  engine: {
    what: '`scenario()`, `check()`, the run',
    mayImport: [...basis, 'drawn', 'recordings'],
  },
  report: { what: 'a `RunResult` for people and machines', mayImport: ['core'] },
  terminal: {
    what: 'what commands print and write: progress, findings, report files, errors',
    mayImport: ['core', 'redaction', 'wire', 'targets', 'engine', 'recordings', 'report'],
  },
  probing: {
    what: 'free questions to a gateway outside of a run: whether it is there, what it serves',
    mayImport: ['core', 'redaction', 'wire', 'protocols', 'targets', 'engine', 'recordings'],
  },
  cli: {
    what: 'the command line, and the commands that every user needs: `run`, `plan`, `list`, `explain`, `recheck`',
    mayImport: [...basis, 'engine', 'recordings', 'report', 'terminal', 'probing', 'reference'],
  },
} satisfies Record<string, Omit<Layer, 'files'>>;

/** Features: each may import the kernel and the reference gateway, and the features that are named here. */
const features: Readonly<Record<string, readonly [what: string, ...others: readonly string[]]>> = {
  certificate: ['certificates: what is written, and how it is verified', 'sessions'],
  client: [
    'the client mode: the scripted gateway, the starts of a command, the run',
    'certificate',
    'sessions',
  ],
  compare: ['two runs, or many, beside one another'],
  containers: ['the reference gateway in containers'],
  explore: ['random histories, compared with the specification, and made short'],
  github: [
    'what the GitHub Action runs: its inputs as a command line, the comment on a pull request',
    'modifiers',
  ],
  live: ['the page that shows a run while it goes on'],
  library: [
    'what users import: a run as a function, the checks as tests in their own Vitest',
    ...['certificate', 'main', 'onboarding', 'proof'],
  ],
  mock: ['`serve`: the reference gateway as a mock', 'proof'],
  modifiers: [
    'rounds, parts of a run, load beside it, and runs on request: each wraps how a target is judged',
  ],
  observe: [
    'exchanges that no run has sent: a proxy between clients and a gateway, HAR files',
    'sessions',
  ],
  onboarding: ['`init`, `doctor`, and what a run finds out without a target file'],
  provider: [
    'both sides of a gateway: the providers that Touchstone plays, and what both sides saw',
  ],
  sessions: ['starts of a client: scripts, and the scenarios and checks of `suites/client/`'],
};

/** Names of the rooms of the kernel. */
export const kernelRooms: readonly string[] = Object.keys(kernel);

/**
 * Allowed imports between layers: `harness/layers.test.ts` enforces them, and `harness/layers.md` shows
 * them. `suites/scenarios` is the lower layer of the suites, and every other folder there a suite of the
 * upper one; suites do not import each other. `index` is `harness/index.ts`, all that suites may use.
 * Within a layer everything may be imported.
 */
export const layers: Readonly<Record<string, Layer>> = {
  suites: {
    what: 'what must hold: checks, and the scenarios that only they judge',
    mayImport: ['scenarios', 'index'],
    files: ['suites/'],
  },
  'suites of clients': {
    what: 'what must hold of a client',
    mayImport: ['scenarios', 'index', 'sessions'],
    files: ['suites/client/'],
  },
  'suites of both sides': {
    what: 'what must hold between the clients and the providers of a gateway',
    mayImport: ['index', 'provider'],
    files: ['suites/provider/'],
  },
  scenarios: {
    what: 'what is sent, for several suites; acts on stored responses are those of the model',
    mayImport: ['index', 'model'],
    files: ['suites/scenarios/'],
  },
  index: {
    what: 'all that suites may use of the harness',
    mayImport: [...basis, 'drawn', 'engine'],
    files: ['index.ts'],
  },
  ...Object.fromEntries(
    Object.entries(kernel).map(([name, room]) => [name, { ...room, files: [`kernel/${name}/`] }]),
  ),
  ...Object.fromEntries(
    Object.entries(features).map(([name, [what, ...others]]) => [
      name,
      { what, mayImport: [...kernelRooms, 'reference', ...others], files: [`features/${name}/`] },
    ]),
  ),
  main: {
    what: 'the program, the list of its features, and the thread that judges a bundle or a recording',
    mayImport: [...kernelRooms, ...Object.keys(features), 'proof'],
    files: ['main.ts', 'features.ts', 'judging-worker.ts'],
  },
  reference: {
    what: 'the reference gateway: dialects, policy, seams',
    mayImport: [],
    files: ['reference/'],
  },
  proof: {
    what: 'the suite against planted faults, legal variants, null targets and transient failures',
    mayImport: [...kernelRooms, 'explore', 'client', 'reference'],
    files: ['proof/'],
  },
  lab: {
    what: 'mutation testing, hostile gateways, other people’s gateways and clients, benchmarks, tables of the pages; not shipped',
    mayImport: [...kernelRooms, ...Object.keys(features), 'reference', 'proof', 'main'],
    files: ['lab/'],
  },
};
