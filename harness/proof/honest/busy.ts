import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Program that computes until its parent process exits. */
const hog = `
process.stdin.on('end', () => process.exit()).resume();
const compute = () => {
  const until = performance.now() + 20;
  while (performance.now() < until);
  setImmediate(compute);
};
compute();
`;

/** Performs an act while another process computes on every core of the machine. */
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
