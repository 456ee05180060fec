import {
  asList,
  isObject,
  type JsonObject,
  listAt,
  parsed,
  textAt,
} from '../../kernel/core/index.ts';
import type { PeerSuite, State } from './suite.ts';

/** The suites that the package registry has for endpoints of this kind. */
export const suites: readonly PeerSuite[] = [
  {
    name: 'llmprobe',
    version: '0.6.12',
    lines: ({ baseUrl, model, key, report }) => ({
      full: [
        'bin/dist/llmprobe.mjs',
        ...[baseUrl, '--api-key', key, '--model', model],
        ...['--full', '--no-bench', '--no-save', '--save', report],
      ],
    }),
    read: (report) =>
      results(report, 'conformance.results').map((result) => ({
        id: `llmprobe/${result.id}`,
        what: `${result.name}`,
        state: probed(result.outcome),
        said:
          textAt(result, 'reason') ??
          asList(result.failures)
            .map((failure) => textAt(failure, 'message'))
            .join('; '),
      })),
  },
  {
    name: 'compatcanary',
    version: '0.2.2',
    lines: ({ baseUrl, model, key, report }) =>
      Object.fromEntries(
        ['modern', 'chat'].map((profile) => [
          profile,
          [
            ...['src/cli.js', 'scan', '--base-url', `${baseUrl}/v1`, '--model', model],
            ...['--api-key', key, '--profile', profile, '--format', 'json', '--output', report],
          ],
        ]),
      ),
    read: (report, profile) =>
      results(report, 'results').map((result) => ({
        id: `compatcanary/${profile}/${result.id}`,
        what: `${result.name}, profile ${profile}`,
        state: result.status === 'pass' ? 'passed' : 'failed',
        said: `${result.summary}`,
      })),
  },
];

function probed(outcome: unknown): State {
  if (outcome === 'pass') return 'passed';
  return outcome === 'fail' ? 'failed' : 'open';
}

/** The results in a report. Without any it is none: a suite that tested nothing has not passed. */
function results(report: string, path: string): readonly JsonObject[] {
  const list = listAt(parsed(report), path).filter(isObject);
  if (list.length === 0) throw new Error(`The report has no results at "${path}".`);
  return list;
}
