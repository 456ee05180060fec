import type { DialectName } from '../../reference/dialect.ts';
import type { Defect } from '../../reference/seams.ts';
import type { Fault } from './fault.ts';

/** No blank line closes the last event of the protocol's streams. */
export function lastLeftOpen(dialect: DialectName): Defect['override'] {
  return ({ transport }) => ({
    transport: {
      stream: (out, head, pieces, context) =>
        transport.stream(
          out,
          head,
          context.call.dialect.name === dialect ? undeclared(pieces) : pieces,
          context,
        ),
    },
  });
}

async function* undeclared(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let last: string | null = null;
  for await (const piece of pieces) {
    if (last !== null) yield last;
    last = piece;
  }
  if (last !== null) yield last.replace(/\n\n$/, '\n');
}

export const unclosedFaults: readonly Fault[] = (
  ['responses', 'chat-completions', 'messages'] as const
).map((protocol) => ({
  id: `native.last-event-open-${protocol}`,
  what: `The last event of a stream of ${protocol} is not closed by a blank line.`,
  breaks: [`everywhere/native.last-event-closed:${protocol}`],
  override: lastLeftOpen(protocol),
}));
