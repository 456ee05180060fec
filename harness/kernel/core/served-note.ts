import { type Capability, capabilities } from './capability.ts';
import { type Protocol, protocols } from './protocol.ts';
import type { CheckResult } from './result.ts';

// Writes and parses the note on a model that serves something that the target file omits.

/** Prefix of the checks with the note: one check for each capability. */
const requirement = 'access/capabilities.undeclared-but-served:';

/** Returns the text of the note. @param name the capability, as ids of checks have it */
export function servedNote(model: string, name: string): string {
  return `${model} serves ${name}`;
}

/** Returns the model and the capability that a check has noted; null for any other check. */
export function servedIn({
  id,
  verdict,
}: Pick<CheckResult, 'id' | 'verdict'>): { model: string; capability: Capability } | null {
  if (!id.startsWith(requirement) || verdict.state !== 'note') return null;
  const name = id.slice(requirement.length);
  const capability = capabilities.find((one) => one.toLowerCase().replace(':', '-') === name);
  const end = servedNote('', name);
  if (capability === undefined || !verdict.actual.endsWith(end)) return null;
  return { model: verdict.actual.slice(0, -end.length), capability };
}

/** Prefix of the checks that note a protocol that no model declares. */
const leftOut = 'access/protocols.left-out:';

/** Returns the protocols that the gateway served in a run although the target file leaves them out. */
export function protocolsLeftOut(
  checks: readonly Pick<CheckResult, 'id' | 'verdict'>[],
): readonly Protocol[] {
  return protocols.filter((protocol) =>
    checks.some(({ id, verdict }) => id === leftOut + protocol && verdict.state === 'note'),
  );
}
