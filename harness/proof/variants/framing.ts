import type { DialectName } from '../../reference/dialect.ts';
import type { Defect, StreamContext } from '../../reference/seams.ts';
import type { Variant } from './variant.ts';

// Other bytes for the same server-sent events.

/** Rewrites each event as it is written. */
function written(change: (text: string, context: StreamContext) => string): Defect['override'] {
  return ({ frames }) => ({
    frames: {
      serialize: (event, context) => change(frames.serialize(event, context), context),
    },
  });
}

/** Something before the first event of each stream. */
function beginning(text: string): Defect['override'] {
  return ({ transport }) => ({
    transport: {
      stream: (out, head, pieces, context) =>
        transport.stream(
          out,
          head,
          (async function* () {
            yield text;
            yield* pieces;
          })(),
          context,
        ),
    },
  });
}

/** The official client of generative-content takes an event that begins with its data, and no other. */
function isForgiving({ call }: StreamContext): boolean {
  const strict: readonly DialectName[] = ['generative'];
  return !strict.includes(call.dialect.name);
}

export const framingVariants: readonly Variant[] = [
  {
    id: 'framing.crlf',
    what: 'Lines of a stream end in CR LF.',
    override: written((text) => text.replaceAll('\n', '\r\n')),
  },
  {
    id: 'framing.cr',
    what: 'Lines of a stream end in CR alone.',
    override: written((text) => text.replaceAll('\n', '\r')),
  },
  {
    id: 'framing.bom',
    what: 'A stream begins with a byte order mark.',
    override: beginning('\uFEFF'),
  },
  {
    id: 'framing.comments',
    what: 'A comment stands before each event, to keep the connection open.',
    override: written((text) => `: keep-alive\n\n${text}`),
  },
  {
    id: 'framing.comment-first',
    what: 'A stream begins with a comment, before the model has written anything.',
    override: beginning(':\n\n'),
  },
  {
    id: 'framing.comment-last',
    what: 'A comment without an end of line stands behind the last event.',
    override: ({ transport }) => ({
      transport: {
        stream: (out, head, pieces, context) =>
          transport.stream(
            out,
            head,
            (async function* () {
              yield* pieces;
              if (isForgiving(context)) yield ': bye';
            })(),
            context,
          ),
      },
    }),
  },
  {
    id: 'framing.blank-lines',
    what: 'Two blank lines stand between events.',
    override: written((text) => `${text}\n`),
  },
  {
    id: 'framing.retry',
    what: 'A stream begins by saying when to connect again.',
    override: beginning('retry: 3000\n\n'),
  },
  {
    id: 'framing.no-space',
    what: 'No space follows the colon of a field.',
    override: written((text) => text.replace(/^(event|data): /gm, '$1:')),
  },
  {
    id: 'framing.data-before-event',
    what: 'The `event:` line stands after the data.',
    override: written((text) => text.replace(/^(event: .*\n)((?:data: .*\n)+)/, '$2$1')),
  },
  {
    id: 'framing.multi-line-data',
    what: 'The JSON of an event is spread over several `data:` lines.',
    override: written((text, context) =>
      isForgiving(context)
        ? text.replace(/^data: (\{.*)$/m, (_, json: string) =>
            JSON.stringify(JSON.parse(json), null, 1).replace(/^/gm, 'data: '),
          )
        : text,
    ),
  },
  {
    id: 'framing.unknown-field',
    what: 'Events have a field that the standard tells clients to ignore.',
    override: written((text, context) =>
      isForgiving(context) ? text.replace(/\n\n$/, '\nregion: eu\n\n') : text,
    ),
  },
  {
    id: 'framing.escaped-json',
    what: 'The JSON of events has spaces, and escapes where it needs none.',
    override: written((text) =>
      text.replace(
        /^data: \{(.*)\}$/m,
        (_, members: string) => `data:  { ${members.replaceAll('/', '\\/')} } `,
      ),
    ),
  },
];
