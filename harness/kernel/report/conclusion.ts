import { pointsJudged, type RunResult } from '../core/index.ts';
import { verdictTones } from './comparison/words.ts';
import { aside, type Block, type Conclusion, only, paragraph, prose } from './document/tree.ts';
import { runDuration } from './duration.ts';
import { explain } from './explanation.ts';
import { trafficInWords } from './subject.ts';
import {
  brokenInWords,
  counted,
  countsInWords,
  heldBackInWords,
  lagsInWords,
  observedInWords,
  recognisableInWords,
} from './words.ts';

/**
 * The verdict of a run, its reason, the next step, and the facts of the run.
 *
 * @param verbose true to include traits by which a gateway could recognise the run
 * @param onPage blocks that a page shows instead of sentences
 */
export function conclusionOfRun(
  result: RunResult,
  verbose: boolean,
  onPage: readonly Block[] = [],
): Conclusion {
  const { verdict, why, advice, typed } = explain(result);
  const recognisable = recognisableInWords(result.traffic);
  return {
    tone: verdictTones[result.verdict],
    word: verdict,
    said: prose(why),
    after: [
      only(
        ['terminal', 'markdown'],
        ...[
          factsInWords(result),
          ...remarksOf(result).map(([name, said]) => `${name}: ${said}.`),
        ].map((sentence) => paragraph(aside(sentence))),
      ),
      ...(recognisable === null
        ? []
        : [
            only(
              verbose ? ['terminal', 'markdown'] : 'markdown',
              paragraph(aside(`Recognisable by: ${recognisable}.`)),
            ),
          ]),
      paragraph(prose(advice), { sign: '→' }),
      ...(typed === null ? [] : [paragraph({ span: 'command', text: typed }, { sign: ' ' })]),
      only('page', ...onPage),
    ],
  };
}

function factsInWords(result: RunResult): string {
  const { counts, checks, durationMs, observed, seed } = result;
  const how = observed === undefined ? `Seed ${seed}` : observedInWords[observed];
  return (
    `${countsInWords(counts).join(', ')}; judged at ${counted(pointsJudged(checks), 'point')}. ` +
    `${trafficInWords(result)} in ${runDuration(durationMs)}. ${how}.`
  );
}

/** Circumstances that affect the verdict of a run: names and values. */
export function remarksOf(result: RunResult): readonly (readonly [name: string, said: string])[] {
  const { traffic, checks, remarks: further = [] } = result;
  const { settled } = traffic;
  const again =
    settled === undefined
      ? null
      : `${counted(settled.checks, 'undecided check')} at the end, ${settled.decided} decided since`;
  const remarks = [
    ['Connections', brokenInWords(traffic)],
    ['Held back', heldBackInWords(traffic)],
    ['Asked once more', again],
    ['Lag', lagsInWords(checks)],
  ] as const;
  return [
    ...remarks.flatMap(([name, said]) => (said === null ? [] : [[name, said] as const])),
    ...further.map(({ name, said }) => [name, said] as const),
  ];
}
