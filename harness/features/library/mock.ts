/**
 * A mock for tests of clients: `startReference` starts the reference gateway, which `touchstone serve` is on the
 * command line, with answers by rules, faults, and a journal of what it was asked.
 *
 * ```ts
 * import { startReference } from 'gateway-touchstone/mock';
 *
 * const mock = await startReference({ script: { rules: [{ when: { says: 'hello' }, text: 'Hi!' }] } });
 * const { keys, baseUrl } = mock;
 * const answer = await fetch(`${baseUrl}/v1/responses`, {
 *   method: 'POST',
 *   headers: { authorization: `Bearer ${keys.owner}` },
 *   body: JSON.stringify({ model: 'ts-omni', input: 'Hello there' }),
 * });
 * console.log(answer.status, mock.requests({ path: '/v1/responses' })[0]?.body);
 * await mock.close();
 * ```
 *
 * It is a door of its own, and loads nothing of what judges gateways: a test file starts sooner with it.
 *
 * @packageDocumentation
 */

import { usualNames } from '../../kernel/protocols/index.ts';
import { checkedScript, loadScript } from '../../kernel/targets/index.ts';
import { chosenFaults } from '../../proof/chosen-faults.ts';
import {
  type ReferenceGateway,
  type ReferenceOptions,
  type Script,
  startReference as start,
} from '../../reference/index.ts';

export { TargetError } from '../../kernel/targets/index.ts';
export { UnknownFault } from '../../proof/chosen-faults.ts';
export type {
  Outcome,
  Pacing,
  RequestEntry,
  RequestFilter,
  Rule,
  Script,
  When,
} from '../../reference/index.ts';

/** Options of a mock. */
export interface MockOptions
  extends Pick<
    ReferenceOptions,
    | 'host'
    | 'allowHosts'
    | 'ports'
    | 'regions'
    | 'names'
    | 'keys'
    | 'models'
    | 'pathPrefix'
    | 'latencyMs'
    | 'pace'
    | 'limits'
    | 'journal'
  > {
  /** Answers: rules, or the path of a file with them. Default: the reference gateway's own answers. */
  readonly script?: Script | string;
  /** `status:429`, or one of the planted faults by its id; `status:429@0.1`: one request in ten. */
  readonly faults?: readonly string[];
  /** Legal variants, by their ids. */
  readonly variants?: readonly string[];
  /** Draws which requests have faults, and the jitter of the pace. Default 1. */
  readonly seed?: number;
}

/** A gateway to test clients against. */
export interface MockGateway extends Omit<ReferenceGateway, 'useScript'> {
  /** Base URL of its first region. The publishers' paths begin below it: `<baseUrl>/v1`. */
  readonly baseUrl: string;
  /** Plays another script from now on; null: the reference gateway's own answers. */
  useScript(script: Script | string | null): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the reference gateway as a mock, in this process: what `touchstone serve` is on the command line.
 * `await using mock = await startReference()` closes it at the end of the block; where that cannot be written,
 * `mock.close()` does.
 *
 * @throws {TargetError} with everything that is wrong with a script, and where in its file
 * @throws {UnknownFault} with the names that are near
 */
export async function startReference({
  script,
  faults: fault = [],
  variants: variant = [],
  seed = 1,
  pace,
  ...options
}: MockOptions = {}): Promise<MockGateway> {
  const { faults, defects } = await chosenFaults({ fault, variant, seed });
  const gateway = await start({
    names: usualNames,
    isMock: true,
    journal: {},
    ...options,
    ...(pace === undefined ? {} : { pace: { seed, ...pace } }),
    ...(defects.some(({ isSecure }) => isSecure === true) ? { isSecure: true } : {}),
    faults,
    script: script === undefined ? null : readScript(script),
  });
  return {
    ...gateway,
    baseUrl: gateway.regions[0]?.baseUrl ?? '',
    useScript: (next) => gateway.useScript(next === null ? null : readScript(next)),
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}

function readScript(script: Script | string): Script {
  return typeof script === 'string' ? loadScript(script) : checkedScript(script);
}
