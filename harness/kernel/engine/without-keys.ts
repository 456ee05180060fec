import type { RunResult } from '../core/index.ts';
import { leaving } from '../redaction/index.ts';

/**
 * Masks keys in a result. Exchanges were masked before they were judged, so a key can only appear if a judgement
 * joined pieces of it. Masking here covers all reports, and the result names the affected checks.
 */
export function withoutKeys(result: RunResult): RunResult {
  const found: string[] = [];
  const checks = result.checks.map((check) => {
    // No answer is in the reason why a check was left out.
    const verdict =
      check.verdict.state === 'excluded' ? check.verdict : withoutKeysIn(check.verdict);
    if (verdict === check.verdict) return check;
    found.push(check.id);
    return { ...check, verdict };
  });
  const { conversations } = result;
  const clean = withoutKeysIn(conversations);
  if (clean !== conversations) found.push('conversations');
  if (found.length === 0) return result;
  return {
    ...result,
    checks,
    ...(clean === undefined ? {} : { conversations: clean }),
    keysMasked: found,
  };
}

/** Returns the value with the keys in its texts masked, or the same object if there are none. */
export function withoutKeysIn<Value>(value: Value): Value {
  return mapped(value) as Value;
}

function mapped(value: unknown): unknown {
  if (typeof value === 'string') return leaving(value, 'the findings');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(mapped);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value);
  const clean = entries.map(([name, member]) => [name, mapped(member)] as const);
  return clean.some(([, member], index) => member !== entries[index]?.[1])
    ? Object.fromEntries(clean)
    : value;
}
