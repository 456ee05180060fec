import type { JsonObject } from '../json.ts';
import type { Refusal } from '../refusal.ts';

/** Returns `{"detail": …}`: a list of problems and their positions for an invalid request, else one error. */
export function systemoneError(
  { reason, message, param, told }: Refusal,
  status: number,
): JsonObject {
  if (status !== 422)
    return { detail: { error_type: told.type ?? reason.replaceAll('-', '_'), message } };
  const where = param === null ? [] : param.split('.');
  return {
    detail: [{ type: reason.replaceAll('-', '_'), loc: ['body', ...where], msg: message }],
  };
}
