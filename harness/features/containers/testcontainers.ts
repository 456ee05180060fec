import { assertInstalled } from '../../kernel/core/index.ts';

/** Loads the package that uses Docker. @throws {MissingPackage} when it is not installed */
export function testcontainers(): Promise<typeof import('testcontainers')> {
  assertInstalled('The reference gateway in containers', 'testcontainers');
  return import('testcontainers');
}
