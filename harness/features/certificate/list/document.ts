import {
  aside,
  counted,
  type Inline,
  inOneLine,
  minuteOf,
  only,
  quoted,
  type ReportDocument,
  type TableRow,
  type Tone,
  toned,
} from '../../../kernel/report/index.ts';
import { type ListedBundle, problemInWords, worthOf } from './listed.ts';

/** Colour of each word: that of the check state with equal weight. */
const tones: Readonly<Record<string, Tone>> = {
  VERIFIED: 'pass',
  INTACT: 'inconclusive',
  NONCONFORMANT: 'fail',
  REFUSED: 'untestable',
  REJECTED: 'fail',
  UNJUDGED: 'fail',
};

interface ListRemarks {
  readonly folder: string;
  /** Meaning of each word and level, in the order in which a reader looks for them. */
  readonly meanings: readonly (readonly [word: string, meaning: string])[];
}

/** A folder of bundles: a row for each, with the reasons of a rejection below it. */
export function bundlesDocument(
  bundles: readonly ListedBundle[],
  { folder, meanings }: ListRemarks,
): ReportDocument {
  const words = Object.keys(tones).flatMap((word) => {
    const count = bundles.filter((bundle) => bundle.word === word).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  const used = new Set(bundles.map(worthOf));
  const meant = meanings.filter(([word]) => used.has(word));
  const head = ['', 'bundle', 'level', 'subject', 'covers', 'date'];
  return {
    kind: 'certificates',
    title: folder,
    window: `Certificates in ${folder}`,
    conclusion: {
      tone: null,
      word: null,
      said: `${counted(bundles.length, 'bundle')}: ${words.join(', ')}.`,
      after: [],
    },
    blocks: [
      { block: 'table', label: 'Bundles', head, rows: bundles.map(bundleRow) },
      only('page', {
        block: 'section',
        title: 'What the words mean',
        blocks: [
          {
            block: 'table',
            label: 'Words',
            head: ['worth', 'meaning'],
            rows: meant.map((cells) => ({ cells })),
          },
        ],
      }),
    ],
  };
}

/** Data of an untrusted bundle is quoted, and stays on its line. */
function bundleRow(bundle: ListedBundle): TableRow {
  const { name, word, level, about, report } = bundle;
  const cells: readonly Inline[] =
    about === null
      ? []
      : [
          report === null
            ? quoted(about.subject)
            : { span: 'link', to: report, text: quoted(about.subject) },
          inOneLine(about.covers),
          minuteOf(about),
        ];
  return {
    cells: [
      toned(tones[word] ?? 'note', word),
      quoted(name),
      level ?? '',
      ...cells,
      ...Array.from({ length: about === null ? 3 : 0 }, () => ''),
    ],
    below: about === null ? inOneLine(problemInWords(bundle)) : aside(inOneLine(about.place)),
  };
}
