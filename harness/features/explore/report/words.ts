import { atMost, percent, rateInWords } from '../../../kernel/core/index.ts';
import { counted, runDuration } from '../../../kernel/report/index.ts';
import type { Exploration, ToldFind } from './exploration.ts';

export function verdictInWords(exploration: Exploration): string {
  const { finds, verdict, incomplete, histories, decided } = exploration;
  const musts = finds.filter(({ level }) => level === 'MUST').length;
  const others = finds.length - musts;
  const found = [
    ...(musts === 0 ? [] : [`${counted(musts, 'MUST is', 'MUSTs are')} broken`]),
    ...(others === 0
      ? []
      : [`${counted(others, 'recommendation is', 'recommendations are')} not kept`]),
  ];
  const said = found.length === 0 ? 'nothing was found' : found.join(', ');
  const undecided =
    histories === 0
      ? 'within its bounds no history was performed: allow more generations, requests or minutes'
      : 'no history was decided in every act';
  const why = incomplete ?? (verdict === 'undecided' ? undecided : null);
  const rate =
    finds.length === 0 && decided > 0
      ? ` Of such histories at most ${percent(atMost({ times: 0, tries: decided }), 'up')} show something, at 95 %.`
      : '';
  return `${said[0]?.toUpperCase()}${said.slice(1)}${why === null ? '.' : `; ${why}.`}${rate}`;
}

export function effortInWords(exploration: Exploration): string {
  const { histories, acts, undecided, requests, generations, durationMs, seed } = exploration;
  const open = undecided === 0 ? '' : `, ${undecided} of them undecided`;
  const took = durationMs === null ? '' : ` in ${runDuration(durationMs)}`;
  return (
    `${counted(histories, 'history', 'histories')}, ${counted(acts, 'act')}${open}; ` +
    `${counted(requests, 'request')}, ${counted(generations, 'generation')}${took}. Seed ${seed}.`
  );
}

export function timesInWords({ times }: ToldFind, { decided }: Exploration): string {
  return times === 0
    ? 'Only while another was shortened'
    : rateInWords({ times, tries: decided }, 'histories');
}

export function againInWords({ again }: ToldFind): string | null {
  if (again.tries === 0) return null;
  return again.times === again.tries
    ? `each of ${counted(again.tries, 'further try', 'further tries')} of this history`
    : rateInWords(again, 'further tries of this history');
}

export function foundInWords({ foundIn, foundActs, acts, cut }: ToldFind): string {
  const shorter =
    acts.length < foundActs ? `; ${acts.length} of its ${counted(foundActs, 'act')} show it` : '';
  const more = cut ? '; a bound was reached before it was as short as it can be made' : '';
  return `History ${foundIn}${shorter}${more}`;
}
