import { describeReference } from '../kernel/targets/index.ts';
import { startReference } from '../reference/index.ts';
import { type NullTargetKind, startNullTarget } from './null-servers.ts';

/** Starts the server, and describes it as offering everything, like the reference gateway. */
export async function nullTarget(kind: NullTargetKind) {
  const reference = await startReference();
  const described = describeReference(reference, undefined);
  await reference.close();
  const { baseUrl, close } = await startNullTarget(kind);
  const target = {
    ...described,
    // One server in the role of two regions, as behind two host names.
    regions: described.regions.map(({ name }) => ({ name, baseUrl: `${baseUrl}/${name}` })),
    probes: {
      ledger: [`${baseUrl}/_touchstone/ledger`],
      clock: [`${baseUrl}/_touchstone/clock`],
    },
    // Short, for the kind that never answers. A late answer of another kind decides nothing, and earns nothing
    // either.
    limits: { ...described.limits, timeoutMs: 1_000, patienceMs: 300 },
  };
  return { target, close };
}
