import { Command, Option } from 'commander';
import { writeText } from '../../../kernel/redaction/index.ts';
import { pageOf, printed } from '../../../kernel/report/index.ts';
import {
  assertWritable,
  consoleOf,
  printText,
  type Terminal,
  tellOf,
} from '../../../kernel/terminal/index.ts';
import { historyDocument } from '../history/document.ts';
import { renderHistoryJson } from '../history/json.ts';
import { readHistory } from '../report-folder.ts';

interface HistoryOptions {
  readonly html?: string;
  readonly json?: boolean;
  readonly open?: boolean;
  readonly color: boolean;
}

/** Default name of the page. */
const openedFile = 'touchstone-history.html';

/** `touchstone history`: a folder of reports over time. */
export function historyCommand(terminal: Terminal): Command {
  return new Command('history')
    .summary('show a folder of reports over time')
    .description(
      'Reads every report in a folder, at any depth: for each gateway or client its verdicts over time, what ' +
        'broke when, and when it was fixed. Other files are ignored.',
    )
    .argument('<dir>', 'a folder with files that `run --json` or `client --json` wrote')
    .option(
      '--html <file>',
      'write one HTML page: verdicts, areas and times over time, side by side',
    )
    .addOption(
      new Option(
        '--open',
        `open the page in the browser, or the command in BROWSER (--html ${openedFile})`,
      ).implies({ html: openedFile }),
    )
    .option('--json', 'print JSON, as fixtures/history.schema.json describes it')
    .option('--no-color', 'plain text; the NO_COLOR variable does the same')
    .addHelpText('after', examples)
    .action(async (dir: string, { html, json = false, color, open = false }: HistoryOptions) => {
      const history = readHistory(dir);
      assertWritable({ html });
      if (json) terminal.stdout.write(renderHistoryJson(history));
      else {
        printText(printed(historyDocument(history), consoleOf(terminal, { color })), terminal);
      }
      if (html === undefined) return;
      writeText(html, pageOf(historyDocument(history)));
      await tellOf([{ html }], terminal, { quiet: json, open });
    });
}

const examples = `
Examples:
  touchstone run --target staging.yaml --json reports/$(date +%F).json
      keep the report of each run in one folder
  touchstone history reports                      a line for each gateway, and what broke last
  touchstone history reports --html history.html  all of it, as one page
  touchstone history reports --json               for programs

Runs belong together by the name of their target. "diff" compares two of them.

Exit codes:
  0 shown, whatever the verdicts are · 3 wrong usage, or no report in the folder`;
