export { withoutForeignValues } from './foreign.ts';
export { keepIn, keptFrom, LeavingInPieces, leaving, showOpenly, writeText } from './gate.ts';
export { isHarmlessHeader, isHarmlessParameter, isSecretName } from './names.ts';
export { unpacked } from './packed.ts';
export { readingsOf } from './readings.ts';
export {
  notAKey,
  redactBytes,
  redactExchange,
  redactText,
  type Secrets,
  shortestSought,
  withoutKeyShapes,
} from './redact.ts';
export { allShapes } from './shapes.ts';
export { atEndOfCommand, forgetPaths, modeOf, usePath } from './used-paths.ts';
