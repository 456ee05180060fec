export { adapterVersion } from './adapter-version.ts';
export { adapterFile, adapterNames } from './adapters.ts';
export { environmentOf, taskLine, toldOf } from './asked.ts';
export { type ScriptedGateway, startScriptedGateway } from './gateway.ts';
export {
  type ProviderEntry,
  providerEntries,
  providerEntryNames,
  providerKey,
  providerModel,
} from './provider-entries.ts';
export { runClient } from './run-client.ts';
