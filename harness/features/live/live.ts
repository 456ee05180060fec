import { givenIn, type Modifier } from '../../kernel/cli/index.ts';
import { renderHtml } from '../../kernel/report/index.ts';
import { UsageError } from '../../kernel/terminal/index.ts';
import { LivePage } from './page.ts';

const options = {
  ui: {
    flags: '--ui',
    help:
      'show the run on a page of this machine, whose address is printed: progress, and each failure with its ' +
      'exchange as it comes; at the end the page is the HTML report',
    group: 'Reports:',
    isUnrepeated: true,
    notInput: 'nobody looks on while a workflow runs',
  },
} as const;

/** `--ui`: a page that shows a run while it goes on. */
export const live: Modifier = {
  options,
  examples: `
  touchstone run --target staging.yaml --ui
      watch the run in a browser, and read its report there`,
  assertUsable(given) {
    if (givenIn(options, given).ui === true && (given.target?.length ?? 0) > 1) {
      throw new UsageError('--ui shows one run: name one target, or read the reports of several.');
    }
  },
  modify: (judge) => async (target, request) => {
    if (givenIn(options, request.options).ui !== true) return judge(target, request);
    const planned = await judge(target, { ...request, isShown: true });
    return {
      ...planned,
      async begin(sending) {
        const { progress } = sending;
        const page = await LivePage.start(target.name);
        try {
          progress.say(`Live: ${page.url}`);
          const update: typeof progress.update = (seen) => {
            progress.update(seen);
            page.show(seen);
          };
          const result = await planned.begin({ ...sending, progress: { ...progress, update } });
          await page.become(renderHtml(result, await planned.recording.views(result)));
          return result;
        } finally {
          page.close();
        }
      },
    };
  },
};
