export { matching } from './command-line.ts';
export { actionInputs } from './inputs.ts';
