export { addressesOf, type TargetAddress } from './addresses.ts';
export { isLoopback, withDefaults } from './defaults.ts';
export { parseYaml } from './document.ts';
export type { Environment } from './environment.ts';
export { showable } from './header-rules.ts';
export { atHome } from './home.ts';
export { type InlineModel, type InlineOptions, inlineTarget, keyVariables } from './inline.ts';
export { keepSecrets } from './keep-secrets.ts';
export { loadTarget, readTarget } from './load.ts';
export { nearest } from './nearest.ts';
export { shownProxies, withProxies } from './proxies.ts';
export { assertReachable, isHtml, obstacleIn, Unreachable } from './reachable.ts';
export { redactedTargetFile } from './redacted-file.ts';
export { describeReference, referenceTarget, type StartedTarget } from './reference.ts';
export {
  findModel,
  given,
  hasSpecialId,
  type Missing,
  type ModelRole,
  permittedKeys,
  restrictionsOfKey,
} from './roles.ts';
export { routesOf } from './routes.ts';
export { problemsIn } from './schema-rules.ts';
export { checkedScript, loadScript, readSentScript } from './script-file.ts';
export { type Served, targetFileOf } from './served-target-file.ts';
export {
  type Keys,
  keyNames,
  type Limits,
  type Model,
  type Probes,
  type Region,
  type SystemOneTarget,
  type Target,
  type Tls,
} from './target.ts';
export { TargetError, yamlText } from './target-error.ts';
export { targetShape } from './target-shape.ts';
export {
  capabilitiesInFile,
  capabilityInFile,
  readCapability,
  readProtocol,
} from './vocabulary.ts';
