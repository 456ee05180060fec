export type { HarContents, HarObserved } from './observe-har.ts';
export type { RunningProxy } from './proxy.ts';
