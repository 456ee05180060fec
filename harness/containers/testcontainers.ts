import { optionalPackage } from '../core/optional-package.ts';

/** The package that speaks to Docker. @throws {MissingPackage} where it is not installed */
export function testcontainers(): Promise<typeof import('testcontainers')> {
  return optionalPackage(
    'The reference gateway in containers',
    'testcontainers',
    () => import('testcontainers'),
  );
}
