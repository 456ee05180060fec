import type { Call, Io, Protocol } from '../../harness/index.ts';
import { withMember } from '../scenarios/bad-bodies.ts';

/** A lone surrogate, NUL, and a character beyond the basic plane. */
export const oddText = 'a\ud800b\u0000c\u{1f600}';

/** The member that holds a text, and a value for it that does. */
export function textOf(protocol: Protocol, text: string): [member: string, value: unknown] {
  switch (protocol) {
    case 'responses':
      return ['input', text];
    case 'chat-completions':
    case 'messages':
      return ['messages', [{ role: 'user', content: text }]];
    case 'generative':
      return ['contents', [{ role: 'user', parts: [{ text }] }]];
    case 'systemone':
      return ['state', text];
  }
}

export function withLimit(call: Call, protocol: Protocol, limit: number): Call {
  switch (protocol) {
    case 'responses':
      return withMember(call, 'max_output_tokens', limit);
    case 'chat-completions':
      return withMember(call, 'max_completion_tokens', limit);
    case 'generative':
      return withMember(call, 'generationConfig', { maxOutputTokens: limit });
    case 'messages':
    case 'systemone':
      return withMember(call, 'max_tokens', limit);
  }
}

/** An unknown member of 10 000 nested arrays. */
export function nested(call: Call): Call {
  const good = JSON.stringify(call.body);
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  return { ...call, body: `${good.slice(0, -1)},"touchstone_unknown":${deep}}` };
}

/** One wrong value in the place of the input, such as no gateway can make sense of. */
export function mutation({ random }: Io, protocol: Protocol): (call: Call) => Call {
  const [member] = textOf(protocol, '');
  const value = random.helpers.arrayElement<unknown>([
    random.number.int({ min: -1_000, max: 1_000 }),
    random.number.float(),
    random.datatype.boolean(),
    [random.number.int(), random.string.sample()],
    [[random.string.sample()]],
    [{ role: random.string.sample(), content: random.number.int() }],
    { [random.string.sample()]: random.string.sample() },
  ]);
  return (call) => withMember(call, protocol === 'systemone' ? 'questions' : member, value);
}
