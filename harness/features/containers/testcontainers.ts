import { assertInstalled } from '../../kernel/core/index.ts';

/** The package that speaks to Docker. @throws {MissingPackage} where it is not installed */
export function testcontainers(): Promise<typeof import('testcontainers')> {
  assertInstalled('The reference gateway in containers', 'testcontainers');
  return import('testcontainers');
}
