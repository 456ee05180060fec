export { ends, type HeardRequest, type HeardTurn, params } from './ask.ts';
export { exact } from './exact.ts';
export {
  type Case,
  counts,
  type Join,
  joinedScenario,
  type Making,
  plain,
  routed,
} from './play.ts';
export { played } from './played.ts';
export { assumeAsked, rule } from './rule.ts';
