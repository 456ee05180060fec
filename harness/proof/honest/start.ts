import { referenceTarget, type StartedTarget } from '../../kernel/targets/index.ts';
import { type Front, startFront } from './front.ts';
import type { HonestGateway } from './honest-gateway.ts';

/** Timeouts that only a hanging gateway exceeds. */
const waits = { timeoutMs: 60_000, patienceMs: 60_000 };

/** Starts an honest gateway in this process, and describes it as its owner would. */
export async function startHonest({
  id,
  what,
  override,
  pace = {},
  front,
  described = (target) => target,
}: HonestGateway): Promise<Pick<StartedTarget, 'target' | 'close'>> {
  const { target, close } = await referenceTarget({
    ...pace,
    ...(override === undefined ? {} : { defect: { id, what, override } }),
  });
  const shared: Front = front?.() ?? {};
  const fronts = await Promise.all(
    front === undefined ? [] : target.regions.map(({ baseUrl }) => startFront(shared, baseUrl)),
  );
  const regions = target.regions.map(({ name, baseUrl }, index) => ({
    name,
    baseUrl: fronts[index]?.baseUrl ?? baseUrl,
  }));
  const limits = { ...target.limits, ...waits };
  return {
    target: described({ ...target, name: id, regions, limits }),
    async close() {
      await Promise.all(fronts.map((one) => one.close()));
      await close();
    },
  };
}
