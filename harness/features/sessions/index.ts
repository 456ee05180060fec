export { clientCheck, clientCheckEach } from './client-check.ts';
export { clientObserved, clientObservedEach, observedOfClient } from './client-observed.ts';
export { ClientRun, interrupted } from './client-run.ts';
export {
  type ClientScenario,
  clientScenario,
  clientServed,
  whyNotReached,
} from './client-scenario.ts';
export { conversationsOf } from './conversations.ts';
export {
  type Framing,
  otherHost,
  type Script,
  type ScriptedAnswer,
  type ScriptedLookup,
} from './script.ts';
export { generationsIn, headerOf, pathOf, saidBy, unknownOperation } from './seen.ts';
export {
  type ClientAnswer,
  type ClientSession,
  type ClientStart,
  type CommandRun,
  clientOutcomes,
  type FrontAnswer,
} from './session.ts';
export { sessionLine, sessionsIn } from './session-line.ts';
export { frontAnswer, whyBackNotReached } from './upstream.ts';
