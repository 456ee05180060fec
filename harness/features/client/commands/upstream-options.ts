import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../../../kernel/cli/index.ts';
import { UsageError } from '../../../kernel/terminal/index.ts';
import {
  type ProviderEntry,
  providerEntries,
  providerEntryNames,
  providerModel,
} from '../index.ts';

/** Options of `touchstone client` for the upstream side of a gateway. */
export interface UpstreamOptions {
  readonly upstreamOf?: string;
  readonly keyEnv?: string;
  readonly model?: string;
  readonly listen?: Listen;
  readonly printProvider?: ProviderEntry;
  readonly wait?: number;
}

export function addUpstream(command: Command): Command {
  return command
    .optionsGroup('The back side of a gateway:')
    .option(
      '--upstream-of <url>',
      'in place of a command: a gateway, of which Touchstone is entered as a provider; its front is asked, and its back is judged',
    )
    .option('--key-env <name>', 'with --upstream-of: the variable that has the key for its front')
    .option(
      '--model <id>',
      `with --upstream-of: the model that its front is asked for (${providerModel}); a \`*\` in it stands for a name of each scenario`,
    )
    .option(
      '--listen <port>',
      'with --upstream-of: where the gateway finds its provider, a port or HOST:PORT (8789)',
      listening,
    )
    .addOption(
      new Option(
        '--print-provider <name>',
        'with --upstream-of: print what to enter in the gateway, and wait until it comes',
      ).choices(providerEntryNames),
    )
    .option(
      '--wait <s>',
      'with --print-provider: how long to wait for it, in seconds (120)',
      wholeNumber(1, 86_400),
    );
}

interface Listen {
  readonly host: string;
  readonly port: number;
}

function listening(text: string): Listen {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new InvalidArgumentError('Expected a port from 0 to 65535, or HOST:PORT: 0.0.0.0:8789.');
  }
  return { host, port: Number(port) };
}

/** @throws {UsageError} when an option has no meaning, or the key is missing */
export function upstreamOf(
  options: UpstreamOptions,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const { upstreamOf: front, keyEnv, model, listen, printProvider, wait } = options;
  if (front === undefined) {
    const given = Object.entries({ keyEnv, model, listen, printProvider, wait });
    const [name] = given.find(([, value]) => value !== undefined) ?? [];
    if (name === undefined) return null;
    throw new UsageError(
      `--${name.replace(/[A-Z]/, '-$&').toLowerCase()} goes with --upstream-of.`,
    );
  }
  if (wait !== undefined && printProvider === undefined) {
    throw new UsageError('--wait goes with --print-provider.');
  }
  const key = keyEnv === undefined ? null : environment[keyEnv];
  if (key === undefined || key === '') {
    throw new UsageError(`--key-env ${keyEnv}: that variable is not set.`);
  }
  const waiting =
    printProvider === undefined
      ? null
      : { times: Math.ceil((wait ?? 120) / betweenAsks), everyMs: betweenAsks * 1000 };
  return { key, ...(listen ?? { host: '127.0.0.1', port: 8789 }), waiting };
}

/** Seconds between two requests, while a user configures Touchstone as a provider in a gateway. */
const betweenAsks = 3;

/** The base address of a front, which ends before `/v1`. @throws {UsageError} when it is invalid */
export function frontAt(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError(`--upstream-of ${text}: expected an address like http://localhost:4000.`);
  }
  return text.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** Explains what to configure in the gateway, and what happens next. */
export function sayWhere(address: string, { printProvider, wait = 120 }: UpstreamOptions): string {
  if (printProvider === undefined) return '';
  return (
    `${providerEntries[printProvider](address)}\n` +
    `Enter this in the gateway. Its front is asked every ${betweenAsks} seconds, for ${wait} seconds at most, ` +
    'each time with a new request, until one comes in here.\n\n'
  );
}

/** @throws {UsageError} when listening caused the error */
export function assertListening(error: unknown, { host, port }: Listen): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    throw new UsageError(`Port ${port} is in use. Choose another with --listen PORT.`);
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    throw new UsageError(`Cannot listen on ${host}:${port} (${code}). Choose another: --listen.`);
  }
}
