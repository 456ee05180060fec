import type { Context, Defect, JsonObject } from '../../reference/index.ts';

/** Replaces the answer with this one where it fits. */
export function answeringAt(
  fits: (context: Context) => boolean,
  status: number,
  answer: JsonObject = { error: { type: 'rate_limit_error', message: 'later' } },
): Defect['override'] {
  const body = JSON.stringify(answer);
  const head = { status, headers: { 'content-type': 'application/json' } };
  return ({ transport }) => ({
    transport: {
      send: (out, given, text, context) =>
        fits(context)
          ? transport.send(out, head, body, context)
          : transport.send(out, given, text, context),
      stream: (out, given, pieces, context) =>
        fits(context)
          ? transport.send(out, head, body, context)
          : transport.stream(out, given, pieces, context),
    },
  });
}
