import type { Package } from '../others/install.ts';

/** Test suite of another party for such an interface, from the package registry. */
export interface PeerSuite extends Package {
  /** The ways to run it, and the lines of each; it judges what this endpoint serves. */
  lines(at: Endpoint): Readonly<Record<string, readonly string[]>>;
  /** Reads what one run has written; the tests of a protocol only, none of what a model knows. */
  read(report: string, way: string): readonly Outcome[];
}

interface Endpoint {
  /** Base URL of one region, without a path. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string;
  /** The file that the suite writes its report to. */
  readonly report: string;
}

/** `open`: the suite itself says that it cannot tell, or that this is not offered. */
export type State = 'passed' | 'failed' | 'open';

export interface Outcome {
  readonly id: string;
  readonly what: string;
  readonly state: State;
  /** Reason why it has not passed. */
  readonly said: string;
}
