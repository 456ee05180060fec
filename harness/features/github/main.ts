import { failureOf } from '../../kernel/terminal/index.ts';
import { steps } from './steps.ts';

// Entry point of `action.yml`.
try {
  const step = steps[process.argv[2] ?? ''];
  if (step === undefined) throw new Error(`Name a step: ${Object.keys(steps).join(', ')}`);
  process.exitCode = await step(process.env);
} catch (error) {
  const { message, exitCode } = failureOf(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}
