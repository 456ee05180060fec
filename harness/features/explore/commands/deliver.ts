import type { ExplorationFiles } from '../../../kernel/cli/index.ts';
import { exitCodes, formatId, messageOf } from '../../../kernel/core/index.ts';
import { writeText } from '../../../kernel/redaction/index.ts';
import {
  counted,
  type ExchangeView,
  pageOf,
  printable,
  printed,
} from '../../../kernel/report/index.ts';
import {
  assertWritten,
  consoleOf,
  optionOf,
  type Terminal,
  viewOf,
} from '../../../kernel/terminal/index.ts';
import type { Explored } from '../index.ts';
import { explorationDocument } from '../report/document.ts';
import type { Exploration } from '../report/exploration.ts';
import { renderExplorationJson } from '../report/json.ts';
import { scriptOfAll } from './script.ts';
import { type Exploring, told } from './tell.ts';

interface ExplorationDelivery {
  readonly colour: boolean;
  /** File of the recording, if any, and the reason why it is incomplete. */
  readonly record?: string | undefined;
  readonly unrecorded?: string | null;
  /** Number of histories missing in the recording because it reached its maximum size. */
  readonly leftOut?: number;
}

/** @throws {Unwritten} after all attempts, with the names of the files that could not be written */
export function deliverExploration(
  explored: Explored,
  how: Exploring,
  files: ExplorationFiles,
  terminal: Terminal,
  { colour, record, unrecorded = null, leftOut = 0 }: ExplorationDelivery,
): number {
  const exploration = told(explored, how);
  const withoutScripts = files.script !== undefined;
  const look = consoleOf(terminal, { color: colour });
  terminal.stdout.write(printed(explorationDocument(exploration, { withoutScripts }), look));
  const problems = unrecorded === null ? [] : [unrecorded];
  const written: string[] = [];
  const renders = {
    html: () => pageOf(explorationDocument(exploration, { exchanges: viewsOf(explored) })),
    json: () => renderExplorationJson(exploration),
    script: () => scriptOfAll(exploration.finds),
  };
  for (const name of ['html', 'json', 'script'] as const) {
    const file = files[name];
    if (file === undefined) continue;
    try {
      writeText(file, renders[name]());
      written.push(file);
    } catch (error) {
      problems.push(`${optionOf(name)} ${file} was not written: ${messageOf(error)}`);
    }
  }
  if (record !== undefined) written.push(record);
  if (written.length > 0) {
    terminal.stdout.write(`Written: ${written.map(printable).join(', ')}\n`);
  }
  if (leftOut > 0) {
    terminal.stdout.write(
      `The recording is without ${counted(leftOut, 'history', 'histories')}: it was long enough, and nothing rests on them.\n`,
    );
  }
  assertWritten(problems);
  return codes[exploration.verdict];
}

const codes: Readonly<Record<Exploration['verdict'], number>> = {
  broken: exitCodes.nonconformant,
  'nothing-found': exitCodes.conformant,
  undecided: exitCodes.undecided,
};

function viewsOf({ finds }: Explored): ReadonlyMap<string, ExchangeView> {
  return new Map(
    finds.flatMap(({ sent }) =>
      [...sent.values()].map(({ whole }) => [formatId(whole.id), viewOf(whole)] as const),
    ),
  );
}
