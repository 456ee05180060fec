/** A process that judges mutants. Each message has the id of one, or null for the gateway without any. */
import { judgeMutant } from './judged.ts';

const seed = Number(process.argv[2]);
process.on('message', async ({ id }: { readonly id: string | null }) => {
  process.send?.(await judgeMutant(id, seed));
});
