import { describeReference } from '../kernel/targets/index.ts';
import { startReference } from '../reference/index.ts';
import { type NullTargetKind, startNullTarget } from './null-servers.ts';

/** The server, described as the reference gateway is: as if it offered everything. */
export async function nullTarget(kind: NullTargetKind) {
  const reference = await startReference();
  const described = describeReference(reference, undefined);
  await reference.close();
  const { baseUrl, close } = await startNullTarget(kind);
  const target = {
    ...described,
    // One server in two roles, as it would be behind two names.
    regions: described.regions.map(({ name }) => ({ name, baseUrl: `${baseUrl}/${name}` })),
    probes: {
      ledger: [`${baseUrl}/_touchstone/ledger`],
      clock: [`${baseUrl}/_touchstone/clock`],
    },
    // Short, for the one that never answers. What another answers too late decides nothing, and earns
    // nothing either.
    limits: { ...described.limits, timeoutMs: 1_000, patienceMs: 300 },
  };
  return { target, close };
}
