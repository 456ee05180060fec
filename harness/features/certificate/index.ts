export {
  assertEmpty,
  type BundlePlace,
  isCertifiable,
  isReachedSafely,
  missingFor,
  removeIfEmpty,
  writtenBundle,
} from './commands/bundle.ts';
export { type Demanded, demandsOf } from './demands.ts';
export { bundleFiles, bundlesIn, isFolderOfBundles, sha256 } from './files.ts';
export type { Demands } from './inspect.ts';
export { judgedBundle, type Verification } from './judged-bundle.ts';
export { BadKey, readSigningKey, type SigningKey } from './keys.ts';
export { type Level, less, levels, nonconformant, over, rejected } from './levels.ts';
export { listed, meanings } from './list.ts';
export { certifyingObstacles, clockProblems } from './provenance.ts';
export { verifyBundle } from './verify.ts';
export { outcomeOf, verificationDocument } from './words.ts';
