/**
 * A mock for tests of clients: `startReference` starts the reference gateway, like `touchstone serve` on the
 * command line, with answers by rules, faults, and a journal of its requests.
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
 * A separate entry point that loads no code to judge gateways, so that test files start faster.
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
  /** `status:429`, or the id of a planted fault. `status:429@0.1` affects one request in ten. */
  readonly faults?: readonly string[];
  readonly variants?: readonly string[];
  /** Seed that selects the requests with faults, and the jitter of the pace. Default 1. */
  readonly seed?: number;
}

export interface MockGateway extends Omit<ReferenceGateway, 'useScript'> {
  /** Base URL of its first region. The publishers' paths begin below it: `<baseUrl>/v1`. */
  readonly baseUrl: string;
  /** Changes the script. Null restores the reference gateway's own answers. */
  useScript(script: Script | string | null): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the reference gateway as a mock in this process, like `touchstone serve` on the command line. `await using
 * mock = await startReference()` closes it at the end of the block. Alternatively, call `mock.close()`.
 *
 * @throws {TargetError} with all problems of a script and their places in its file
 * @throws {UnknownFault} with similar names
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
