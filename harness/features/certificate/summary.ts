import {
  type Connection,
  loadCatalogue,
  type RunResult,
  restrictionsSaid,
} from '../../kernel/core/index.ts';
import {
  claimInWords,
  clientFacts,
  clocksInWords,
  connectionInWords,
  type Line,
  line,
  mustsInWords,
  notJudged,
  own,
  scopeInWords,
} from '../../kernel/report/index.ts';
import { knownAuthorities } from '../../kernel/wire/index.ts';
import type { JudgedBundle } from './judged-bundle.ts';
import { suiteDigest } from './suite-digest.ts';

type Row = readonly [label: string, value: Line];

/** Rows with the facts of an intact bundle, and the checks it has passed. */
export function summaryRows(bundle: JudgedBundle): readonly Row[] {
  const { report, exchanges, environment } = bundle;
  const { challenge, conversations, startedAt, seed, strict, checks } = report;
  const { name, version, sha256 } = environment.suite;
  return [
    ...subjectRows(report),
    ['started', line`${startedAt}`],
    ...(challenge === undefined
      ? []
      : ([['challenge', line`${challenge}, which all that was sent follows from`]] as const)),
    ['seed', line`${seed}`],
    ['strict', own(strict ? 'yes: every SHOULD counts like a MUST' : 'no')],
    ['suite', line`${name}, ${version}`],
    [
      'build',
      sha256 === suiteDigest()
        ? line`SHA-256 ${sha256}`
        : line`SHA-256 ${sha256}, another than this one: you allowed it`,
    ],
    ['files', own('complete, each with its SHA-256')],
    ['signature', signatureLine(bundle)],
    ['catalogue', line`${checks.length} checks, each with a verdict`],
    ...scopeRows(report),
    ...(conversations === undefined
      ? []
      : ([['starts', line`${conversations.length} of the client`]] as const)),
    ['exchanges', line`${exchanges}, judged again with the same verdicts; times are as stated`],
  ];
}

/** Rows about the subject: the address of a gateway, or the facts of a client. */
function subjectRows(report: RunResult): Row[] {
  const { target } = report;
  const { name, regions, client } = target;
  if (client !== undefined) {
    return [
      ['client', line`${name}`],
      ...clientFacts(client).map(([fact, value]): Row => [fact.toLowerCase(), line`${value}`]),
    ];
  }
  return [
    ['gateway', line`${name}`],
    ...regions.map((region): Row => ['region', line`${region.name}, ${region.baseUrl}`]),
    ...restrictionRows(target),
    ...provenanceRows(report),
    ...notJudged({ target }).map((sentence): Row => ['note', line`${sentence}`]),
  ];
}

/** Rows about features that the gateway lacks according to its target file, and was not judged by. */
function restrictionRows(target: RunResult['target']): Row[] {
  const said = restrictionsSaid(target);
  return loadCatalogue()
    .claims.restrictions.filter(({ name }) => said.includes(name))
    .map(({ sentence }): Row => ['restricted', own(sentence)]);
}

const stranger = own('by an authority that this machine does not know');

/** True if a connection claims an authority that this machine trusts, but its chain ends at another. */
export function isOfStranger({ tls }: Connection): boolean {
  const authority = tls?.chain.at(-1);
  if (tls?.trusts !== 'system' || authority === undefined) return false;
  return !knownAuthorities().has(authority.spkiSha256);
}

/** Rows about the peers of the exchanges, according to the recording. */
function provenanceRows({ provenance }: RunResult): Row[] {
  const { connections = [], clocks = [] } = provenance ?? {};
  return [
    ...connections.map((connection): Row => {
      const said = line`${connectionInWords(connection)}`;
      return ['connection', isOfStranger(connection) ? line`${said}, ${stranger}` : said];
    }),
    ...clocksInWords(clocks).map((sentence): Row => ['clock', line`${sentence}`]),
  ];
}

function signatureLine({ signatures: { by, uncheckable } }: JudgedBundle): Line {
  const others = uncheckable === 0 ? '' : `${uncheckable} not checkable: nobody named its key`;
  if (by === null) return own(others === '' ? 'none' : others);
  return own(`by the key that you named, ${by}${others === '' ? '' : `; ${others}`}`);
}

/** Rows about the scope of the verdict, and what it leaves open: a sentence each. */
function scopeRows(report: RunResult): Row[] {
  const claim = claimInWords(report);
  return [
    ...(claim === null ? [] : [['claims', own(claim)] as const]),
    ['judged', own(mustsInWords(report))],
    ...scopeInWords(report).map(
      (sentence): Row => ['scope', own(sentence.replace(/^Scope: /, ''))],
    ),
  ];
}
