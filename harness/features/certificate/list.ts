import { claimInWords, mustsInWords, placeInWords, titleOf } from '../../kernel/report/index.ts';
import type { Verification } from './judged-bundle.ts';
import { less, levels, nonconformant, over, rejected } from './levels.ts';
import { type ListedBundle, worthOf } from './list/listed.ts';
import { outcomeOf } from './words.ts';

export function listed(
  name: string,
  verification: Verification,
  report: string | null,
): ListedBundle {
  const { word } = outcomeOf(verification);
  if (verification.level === null) {
    const { problems } = verification;
    return { name, word, level: null, about: null, problems, report: null };
  }
  const { level, bundle } = verification;
  const { target, startedAt } = bundle.report;
  const claim = claimInWords(bundle.report);
  return {
    name,
    word,
    level,
    about: {
      subject: titleOf({ target }),
      place: placeInWords({ target }),
      covers: [...(claim === null ? [] : [claim]), mustsInWords(bundle.report)].join('; '),
      startedAt,
    },
    problems: [],
    report,
  };
}

export const meanings: readonly (readonly [word: string, meaning: string])[] = [
  ...Object.entries(levels).flatMap(([level, { word, worth }]) => [
    [worthOf({ word, level }), worth] as const,
    [
      worthOf({ word: nonconformant.word, level }),
      `It ${nonconformant.claim} gateway or client. ${worth}`,
    ] as const,
  ]),
  [less.word, `It ${less.claim}.`],
  [over.word, `It ${over.claim}.`],
  [rejected.word, `It ${rejected.claim}.`],
];
