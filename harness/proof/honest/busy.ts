import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Computes without end, and ends with whoever started it. */
const hog = `
process.stdin.on('end', () => process.exit()).resume();
const compute = () => {
  const until = performance.now() + 20;
  while (performance.now() < until);
  setImmediate(compute);
};
compute();
`;

/** Does something while another process computes on every core of the machine. */
export async function onBusyMachine<T>(act: () => Promise<T>): Promise<T> {
  const hogs = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', hog], { stdio: ['pipe', 'ignore', 'inherit'] }),
  );
  try {
    return await act();
  } finally {
    for (const one of hogs) one.stdin.end();
  }
}
