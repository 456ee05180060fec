export {
  clientCheck,
  clientObserved,
  observedOfClient,
} from './client-check.ts';
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
export { generationsIn, headerOf, pathOf, saidBy, turnWords, unknownOperation } from './seen.ts';
export {
  type ClientAnswer,
  type ClientSession,
  type ClientStart,
  type CommandRun,
  clientOutcomes,
  type FrontAnswer,
  sessionLine,
  sessionsIn,
  whyOtherStart,
} from './session.ts';
export { frontAnswer, whyBackNotReached } from './upstream.ts';
