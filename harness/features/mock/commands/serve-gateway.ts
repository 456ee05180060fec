import { printable } from '../../../kernel/report/index.ts';
import type { Served } from '../../../kernel/targets/index.ts';
import { loadScript, readSentScript } from '../../../kernel/targets/index.ts';
import { type Output, UsageError } from '../../../kernel/terminal/index.ts';
import {
  type FixtureKeys,
  type JournalOptions,
  type Pacing,
  startReference,
} from '../../../reference/index.ts';
import { type FaultOptions, faultsOf } from './serve-faults.ts';
import { reloading, warning } from './serve-script.ts';

export interface ServeOptions extends FaultOptions {
  readonly listFaults?: boolean;
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly region?: readonly string[];
  readonly pathPrefix?: string;
  readonly route?: readonly string[];
  readonly retentionDays: number;
  readonly latencyMs: number;
  readonly vendorA: string;
  readonly vendorB: string;
  readonly keepResponses: number;
  readonly keepRecords: number;
  readonly keepMegabytes: number;
  readonly withoutProbes?: boolean;
  readonly writeTarget?: string;
  readonly firstTokenMs?: number;
  readonly tokensPerSecond?: number;
  readonly jitter?: number;
  readonly script?: string;
  readonly model?: readonly string[];
  readonly journal: number;
  readonly log?: boolean;
  readonly quiet?: boolean;
}

/** Starts the gateway that the options describe. @throws {UsageError} when it cannot listen */
export async function startGateway(
  options: ServeOptions,
  keys: Partial<FixtureKeys>,
  output: Output,
): Promise<Served & { close(): Promise<void> }> {
  const { host, port, script, pathPrefix, vendorA, vendorB, log = false } = options;
  const { faults, defects } = await faultsOf(options);
  const regions = options.region ?? [
    ...new Set(['eu', 'us', ...defects.flatMap(({ regions = [] }) => regions)]),
  ];
  const twice = regions.find((name, index) => regions.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`--region ${twice} is given twice.`);
  const ports = regions.map((_, index) => (port === 0 ? 0 : port + index));
  const pace = paceOf(options);
  const bytes = options.keepMegabytes * 1_000_000;
  const gateway = await listening({ host, ports }, () =>
    startReference({
      regions,
      ports,
      host,
      allowHosts: options.allowHost ?? [],
      keys,
      names: { vendorA, vendorB },
      isMock: true,
      retentionDays: options.retentionDays,
      latencyMs: options.latencyMs,
      withoutProbes: options.withoutProbes ?? false,
      limits: {
        responses: { count: options.keepResponses, bytes },
        records: { count: options.keepRecords, bytes },
      },
      faults,
      script: script === undefined ? null : loadScript(script, warning(output)),
      readScript: readSentScript,
      models: options.model ?? [],
      journal: { count: options.journal, ...(log ? { ended: logging(output) } : {}) },
      ...(pathPrefix === undefined ? {} : { pathPrefix }),
      ...(pace === null ? {} : { pace }),
      ...(defects.some(({ isSecure }) => isSecure === true) ? { isSecure: true } : {}),
    }),
  );
  const watching = script === undefined ? null : await reloading(script, gateway, output);
  return {
    ...gateway,
    async close() {
      await watching?.close();
      await gateway.close();
    },
  };
}

/** Returns the pace of the options, or null if answers keep their own. */
function paceOf({ firstTokenMs, tokensPerSecond, jitter, seed }: ServeOptions): Pacing | null {
  const said = Object.entries({ firstTokenMs, tokensPerSecond, jitter }).filter(
    ([, value]) => value !== undefined,
  );
  return said.length === 0 ? null : { ...Object.fromEntries(said), seed };
}

/** Error codes for a missing permission, and for an address that does not belong to this machine. */
const cannotListen = ['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/** Starts a listener. @throws {UsageError} when it cannot listen */
export async function listening<T>(
  { host, ports }: { readonly host: string; readonly ports: readonly number[] },
  starting: () => Promise<T>,
): Promise<T> {
  try {
    return await starting();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new UsageError(
        `One of the ports ${ports.join(', ')} is in use. Choose another with --port N; 0 picks free ones.`,
      );
    }
    if (code === 'ERR_SOCKET_BAD_PORT') {
      throw new UsageError(
        `There is no port ${Math.max(...ports)}: each region takes one, from --port on, and the last is 65535.`,
      );
    }
    if (typeof code === 'string' && cannotListen.includes(code)) {
      throw new UsageError(
        `Cannot listen on ${host}:${ports[0]} (${code}). Choose another address with --host and --port.`,
      );
    }
    throw error;
  }
}

/** Writes a line for each request when its answer has ended. */
function logging(output: Output): NonNullable<JournalOptions['ended']> {
  return ({ status, method, path, region, ms, cut, model, key, faults, rule }) => {
    const more = [
      ...(model === null ? [] : [model]),
      ...(key === null ? [] : [key]),
      ...faults.map((id) => `fault ${id}`),
      ...(rule === null ? [] : [`rule ${rule}`]),
      ...(cut ? ['cut'] : []),
    ];
    const told = more.map((text) => `, ${text}`).join('');
    output.write(`${printable(`${status} ${method} ${path} ${region} ${ms} ms${told}`)}\n`);
  };
}
