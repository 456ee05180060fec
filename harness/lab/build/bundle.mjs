import { rolldown } from 'rolldown';
import { loadConfig } from 'rolldown/config';

// The command of rolldown prints a line for each of some thousand files.
const { output, ...input } = await loadConfig('harness/lab/build/rolldown.config.ts');
await (await rolldown(input)).write(output);
