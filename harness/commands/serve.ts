import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { type ReferenceGateway, startReference } from '../reference/index.ts';
import { UsageError } from '../terminal/failure.ts';
import { assertWritable } from '../terminal/reports.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { collect, wholeNumber } from './options/option-values.ts';
import { tryIt } from './serve-examples.ts';
import { targetFileOf } from './serve-target-file.ts';

interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly region?: readonly string[];
  readonly latency: number;
  readonly writeTarget?: string;
}

/** `touchstone serve`: the reference gateway, to build clients against. */
export function serveCommand(terminal: Terminal): Command {
  return new Command('serve')
    .summary('start the reference gateway, to build clients against')
    .description(
      'Starts the reference gateway: a complete implementation of the interface, in memory, with made-up ' +
        'output. Build and test clients against it, without a vendor key and without a bill.',
    )
    .option(
      '-p, --port <n>',
      'port of the first region; further regions take the next ones; 0: any free port',
      wholeNumber(0),
      8787,
    )
    .option('--host <name>', 'the address to listen on', '127.0.0.1')
    .option('--region <name>', 'a region; may be repeated (default: eu and us)', collect)
    .option('--latency <ms>', 'milliseconds before each response starts', wholeNumber(0), 0)
    .option('--write-target <file>', 'write a target file for it, to judge it with touchstone run')
    .addHelpText('after', examples)
    .action(async (options: ServeOptions) => {
      const { writeTarget } = options;
      assertWritable({ 'write-target': writeTarget });
      const gateway = await start(options);
      if (writeTarget !== undefined) writeFileSync(writeTarget, targetFileOf(gateway));
      // From now on: a reader of the addresses may end it at once.
      const ended = new Promise<void>((resolve) => {
        const release = terminal.onInterrupt(() => {
          release();
          resolve();
        });
      });
      terminal.stdout.write(tryIt(gateway));
      await ended;
      await gateway.close();
    });
}

async function start({ port, host, region, latency }: ServeOptions): Promise<ReferenceGateway> {
  const regions = region ?? ['eu', 'us'];
  const ports = regions.map((_, index) => (port === 0 ? 0 : port + index));
  try {
    return await startReference({ regions, ports, host, latencyMs: latency });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new UsageError(
        `One of the ports ${ports.join(', ')} is in use. Choose another with --port N; 0 picks free ones.`,
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new UsageError(
        `Cannot listen on ${host}:${port} (${code}). Choose another address with --host and --port.`,
      );
    }
    throw error;
  }
}

const examples = `
Examples:
  touchstone serve
      two regions, on ports 8787 and 8788; prints keys, models and commands to copy
  touchstone serve --port 0 --region eu --latency 200
      one region on a free port, slower
  touchstone serve --write-target served.yaml
      and in another terminal: touchstone run --target served.yaml

It keeps everything in memory, and ends with Ctrl-C.`;
