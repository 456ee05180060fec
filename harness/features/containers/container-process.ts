import { containerTarget } from './container.ts';

// Starts the containers of a run, and waits. Tests kill this process to see what is left behind.

const [run = ''] = process.argv.slice(2);
await containerTarget({ run, regions: ['eu'] });
process.stdout.write('runs\n');
setInterval(() => {}, 1_000);
