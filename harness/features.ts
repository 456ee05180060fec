import { registerFeatures } from './kernel/cli/feature.ts';

/** Descriptions of all features. The line of a feature is all of the product that names it outside of its folder. */
const loaded = await Promise.all([
  import('./features/onboarding/feature.ts'),
  import('./features/explore/feature.ts'),
  import('./features/observe/feature.ts'),
  import('./features/compare/feature.ts'),
  import('./features/certificate/feature.ts'),
  import('./features/client/feature.ts'),
  import('./features/mock/feature.ts'),
  import('./features/modifiers/feature.ts'),
  import('./features/live/feature.ts'),
  import('./features/containers/feature.ts'),
  import('./features/provider/feature.ts'),
  import('./proof/feature.ts'),
]);

registerFeatures(loaded.map(({ feature }) => feature));
