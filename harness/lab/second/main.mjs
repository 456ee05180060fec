// Starts the gateway, and writes its target file: node harness/lab/second/main.mjs [TARGET_FILE] [FAULT …]

import { writeFileSync } from 'node:fs';
import { startSecond } from './gateway.mjs';

const [file = 'second.json', ...faults] = process.argv.slice(2);
const { target } = await startSecond(new Set(faults));
writeFileSync(file, JSON.stringify(target, null, 2));
process.stdout.write(`${target.regions.map(({ baseUrl }) => baseUrl).join(' ')} ${file}\n`);
