import {
  type CheckResult,
  type Conversation,
  cut,
  printable,
  protocolTitles,
  type RunResult,
  timesAsked,
} from '../core/index.ts';
import { printedLines } from './document/terminal.ts';
import { aside, type Block, type ListItem } from './document/tree.ts';
import { duration } from './duration.ts';

/** The start of the client with a finding. Null for a gateway, or for a finding without a single start. */
export function conversationOf(
  { verdict }: CheckResult,
  { conversations = [] }: Pick<RunResult, 'conversations'>,
): Conversation | null {
  if (!('evidence' in verdict) || verdict.evidence === null) return null;
  const { exchange } = verdict.evidence;
  return (
    conversations.find(({ requests }) => requests.some((one) => one.exchange === exchange)) ?? null
  );
}

/** Describes the task of the client: `Responses, as a stream`. */
export function askedOf({ protocol, task, stream }: Conversation): string {
  const asked = task === 'generate' ? '' : `, task ${task}`;
  return `${protocolTitles[protocol]}${asked}${stream ? ', as a stream' : ''}`;
}

/** Describes what the simulated gateway did, or would have done. */
export function doneIn({ script, met }: Conversation): string {
  return met || script === 'serves everything' ? script : `${script} (it did not come to that)`;
}

/** Describes the end of the command and its reported result. */
export function endingOf({ exit, endedBy, outcome }: Conversation): string {
  const end = {
    itself: exit === null ? 'ended by a signal' : `exit code ${exit}`,
    quiet: 'lived on and was ended, since nothing came any more',
    timeout: 'was ended: its time was up',
    interruption: 'was ended by the user',
  }[endedBy];
  const said = outcome === null ? '' : `; it says that the answer is ${outcome}`;
  return outcome === 'unsupported' ? `${end}; it says that it does not know this` : end + said;
}

/** Returns the output of the command, or else the end of its error output, on one line. */
function printedOf({ printed, errors }: Conversation): string {
  const line = (text: string): string => printable(text).replace(/\s+/g, ' ').trim();
  const output = line(printed);
  if (output !== '') return `printed ${cut(output, 160)}`;
  return line(errors) === '' ? 'printed nothing' : `standard error: ${cut(line(errors), 160)}`;
}

/** Numbers of requests of a conversation that a list shows. A client may send any number. */
const [shownAtStart, shownAtEnd] = [20, 4];

/** A conversation as a list: its requests with their times, then the end. */
export function conversationItems(conversation: Conversation): readonly ListItem[] {
  const { requests, took } = conversation;
  const times = timesAsked(conversation);
  const item = (time: string, text: string): ListItem => ({ sign: aside(time), text: aside(text) });
  let before = 0;
  const lines = requests.map(({ at, request, outcome, asked }) => {
    before += asked.length;
    const again = asked.length > 0 && before > 1 ? `  ← generation ${before} of ${times}` : '';
    return item(timeOf(at), `${request} → ${outcome}${again}`);
  });
  const leftOut = lines.length - shownAtStart - shownAtEnd;
  const shown =
    leftOut <= 1
      ? lines
      : [
          ...lines.slice(0, shownAtStart),
          item('', `… ${leftOut} more requests …`),
          ...lines.slice(-shownAtEnd),
        ];
  return [
    { text: aside(`${askedOf(conversation)}: the gateway ${doneIn(conversation)}`) },
    ...shown,
    item(timeOf(took), `${endingOf(conversation)}; ${printedOf(conversation)}`),
  ];
}

function timeOf(milliseconds: number): string {
  return `${duration(Math.max(0, milliseconds)).padStart(8)} `;
}

/** Lines of a conversation, wrapped to a width. */
export function wrappedConversation(conversation: Conversation, width: number): string[] {
  const list: Block = { block: 'list', items: conversationItems(conversation) };
  return printedLines([list], { colour: false, width });
}
