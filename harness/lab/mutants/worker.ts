/** A process that judges mutants. Each message has the id of one, or null for the gateway without any. */
import { judgeMutant } from './judged.ts';

process.on('message', async ({ id }: { readonly id: string | null }) => {
  process.send?.(await judgeMutant(id));
});
