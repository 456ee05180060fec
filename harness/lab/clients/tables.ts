import { markdownTable } from 'markdown-table';
import { type CheckState, protocolTitles, type RunResult } from '../../kernel/core/index.ts';
import type { ClientInstall } from './clients.ts';
import { endings, type Told } from './cut-streams.ts';
import type { Settings } from './judge.ts';

export interface Judged {
  readonly client: ClientInstall;
  readonly settings: Settings;
  readonly result: RunResult;
}

/** A line for each client and its settings: what it comes to. */
export function verdictsTable(judged: readonly Judged[]): string {
  const count = ({ checks }: RunResult, ...states: CheckState[]): string =>
    String(checks.filter(({ verdict }) => states.includes(verdict.state)).length);
  const head = ['client', 'packages', 'settings', 'verdict', 'passed'];
  return markdownTable([
    [...head, 'MUST failed', 'SHOULD failed', 'undecided', 'not applicable'],
    ...judged.map(({ client, settings, result }) => [
      `\`${client.short}\``,
      settings === 'defaults' ? packagesOf(client) : '',
      settings,
      result.verdict,
      count(result, 'pass', 'note'),
      count(result, 'fail'),
      count(result, 'warn'),
      count(result, 'inconclusive', 'untestable', 'error'),
      count(result, 'not-applicable'),
    ]),
  ]);
}

/** A line for each check that is in one of these states for somebody: for whom. */
export function notPassedTable(judged: readonly Judged[], states: readonly CheckState[]): string {
  const ids = new Map(
    judged.flatMap(({ result }) =>
      result.checks
        .filter(({ verdict }) => states.includes(verdict.state))
        .map(({ id, level }) => [id, level]),
    ),
  );
  if (ids.size === 0) return 'None.';
  const who = (id: string, settings: Settings): string =>
    judged
      .filter((one) => one.settings === settings)
      .filter(({ result }) =>
        result.checks.some((check) => check.id === id && states.includes(check.verdict.state)),
      )
      .map(({ client }) => `\`${client.short}\``)
      .join(', ');
  return markdownTable([
    ['check', 'level', 'at the defaults', 'without retries'],
    ...[...ids]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([id, level]) => [
        `\`${id}\``,
        level,
        who(id, 'defaults') || '–',
        who(id, 'no retries') || '–',
      ]),
  ]);
}

/** A line for each client and protocol: what the client says of streams that are not whole. */
export function cutStreamsTable(told: readonly Told[]): string {
  return markdownTable([
    ['client', 'protocol', ...Object.keys(endings)],
    ...told.map(({ client, protocol, outcomes }) => [
      `\`${client.short}\``,
      protocolTitles[protocol],
      ...outcomes.map((outcome) => (outcome === 'complete' ? '**taken for whole**' : 'told')),
    ]),
  ]);
}

export function packagesOf({ packages, node }: ClientInstall): string {
  const named = Object.entries(packages).map(([name, version]) => `\`${name}\` ${version}`);
  return node === undefined ? named.join(', ') : `${named.join(', ')} (Node ${node})`;
}
