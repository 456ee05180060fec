import { Command } from 'commander';
import { collect, decimal, partOfHeader, rateOf, wholeNumber } from '../../../kernel/cli/index.ts';
import { usualNames } from '../../../kernel/protocols/index.ts';
import { showOpenly, writeText } from '../../../kernel/redaction/index.ts';
import { type Served, targetFileOf } from '../../../kernel/targets/index.ts';
import { assertWritable, type Terminal } from '../../../kernel/terminal/index.ts';
import { fixtureKeys, keyRoles, keyVariable } from '../../../reference/index.ts';
import { tryIt } from './serve-examples.ts';
import { faultList } from './serve-faults.ts';
import { listening, type ServeOptions, startGateway } from './serve-gateway.ts';
import { inPlaceOf, keysFrom } from './serve-keys.ts';
import { startRoutes } from './serve-routes.ts';

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
      wholeNumber(0, 65_535),
      8787,
    )
    .option('--host <name>', 'the address to listen on', '127.0.0.1')
    .option(
      '--allow-host <name>',
      'a name that /_touchstone/ may be asked by, besides localhost, the own address and --host; may be repeated',
      collect,
    )
    .option('--region <name>', 'a region; may be repeated (default: eu and us)', collect)
    .option(
      '--path-prefix <path>',
      'serve everything below this path: /gateway/eu',
      (path) => `/${path.replace(/^\/+/, '')}`,
    )
    .option(
      '--route <region=url>',
      'start no gateway, and stand before one that serves this region there, below /<region>; may be repeated',
      collect,
    )
    .option(
      '--latency-ms <ms>',
      'milliseconds before every answer, also of lists, lookups and errors: a long way to the gateway',
      wholeNumber(0, 3_600_000),
      0,
    )
    .option(
      '--first-token-ms <ms>',
      'milliseconds until the first token of an answer of a model',
      wholeNumber(0, 3_600_000),
    )
    .option('--tokens-per-second <n>', 'how fast a model writes', decimal(0.001, 1e6))
    .option('--jitter <part>', 'by which part a wait varies, 0 to 1; drawn by --seed', rateOf)
    .option(
      '--vendor-a <name>',
      "the Messages publisher's name in <name>-version; the specification has vendorA",
      partOfHeader,
      usualNames.vendorA,
    )
    .option(
      '--vendor-b <name>',
      "the generative-content publisher's name in x-<name>-api-key; the specification has vendorB",
      partOfHeader,
      usualNames.vendorB,
    )
    .option(
      '--script <file>',
      'answer by the rules of this file, which is read again whenever it changes',
    )
    .option(
      '--model <id>',
      'a further model, which can do all that ts-omni can; may be repeated',
      collect,
    )
    .option(
      '--fault <id[@rate]>',
      'answer with this fault: all requests, or a part of them (status:429@0.1); may be repeated',
      collect,
    )
    .option('--variant <id[@rate]>', 'answer with this legal variant; may be repeated', collect)
    .option('--fault-rate <rate>', 'the rate of each --fault that has none, 0 to 1', rateOf, 1)
    .option('--seed <n>', 'draws which requests have them, and the jitter', wholeNumber(0, 1e10), 1)
    .option('--list-faults', 'print all faults and variants, with what they do, and end')
    .option(
      '--keep-responses <n>',
      'stored responses that are kept; the oldest go first, and are not found any more',
      wholeNumber(1, 1e7),
      10_000,
    )
    .option(
      '--retention-days <n>',
      'days until a stored response is not found any more',
      wholeNumber(0, 36_500),
      30,
    )
    .option('--keep-records <n>', 'financial records that are kept', wholeNumber(1, 1e7), 50_000)
    .option(
      '--keep-megabytes <n>',
      'megabytes that the stored responses, and the records, take at most',
      wholeNumber(1, 65_536),
      128,
    )
    .option('--without-probes', 'have no ledger and no clock to look at, like most gateways')
    .option('--write-target <file>', 'write a target file for it, to judge it with touchstone run')
    .option(
      '--journal <n>',
      'requests that GET /_touchstone/requests shows, the latest, in 16 megabytes at most; 0: none',
      wholeNumber(0, 1e6),
      1000,
    )
    .option(
      '--log',
      'a line for each request on standard error: status, method, path, region, time, model, key, fault',
    )
    .option('-q, --quiet', 'print only the address of each region')
    .addHelpText('after', examples)
    .action(async (options: ServeOptions, command: Command) => {
      const { writeTarget, quiet = false, listFaults = false, route } = options;
      if (listFaults) {
        terminal.stdout.write(await faultList());
        return;
      }
      assertWritable({ 'write-target': writeTarget });
      const own = keysFrom(terminal.environment);
      const gateway =
        route === undefined
          ? await startGateway(options, own, terminal.stderr)
          : await listening({ host: options.host, ports: [options.port] }, () =>
              startRoutes(route, command, options, {
                keys: { ...fixtureKeys, ...own },
                names: { vendorA: options.vendorA, vendorB: options.vendorB },
                retentionDays: options.retentionDays,
              }),
            );
      showOpenly(Object.values(fixtureKeys));
      const told = (written: (variable: string) => string): Served => ({
        ...gateway,
        keys: { ...gateway.keys, ...inPlaceOf(own, written) },
      });
      if (writeTarget !== undefined) {
        writeText(writeTarget, targetFileOf(told((variable) => `\${${variable}}`)));
      }
      // Interrupts are handled from here on, because a reader of the addresses may send one at once.
      const ended = new Promise<void>((resolve) => {
        const release = terminal.onInterrupt(() => {
          release();
          resolve();
        });
      });
      const addresses = gateway.regions.map(({ baseUrl }) => `${baseUrl}\n`).join('');
      terminal.stdout.write(
        quiet
          ? addresses
          : tryIt(
              told((variable) => `$${variable}`),
              options.journal > 0,
            ),
      );
      await ended;
      await gateway.close();
    });
}

const examples = `
Examples:
  touchstone serve
      two regions, on ports 8787 and 8788; prints keys, models and commands to copy
  touchstone serve --port 0 --region eu --latency-ms 200
      one region on a free port, far away
  touchstone serve --first-token-ms 300 --tokens-per-second 40 --jitter 0.5
      as fast as a model
  touchstone serve --quiet --log
      for scripts and tests: the addresses on standard output, each request on standard error
  touchstone serve --script answers.yaml
      answers by rules: fixtures/mock/README.md of the package, fixtures/script.schema.json
  touchstone serve --fault status:429@0.1 --fault cut:3@0.05 --seed 7
      one request in ten gets a 429, one stream in twenty breaks after three events
  touchstone serve --model my-model
      for a client that has the id of a model written into it
  touchstone serve --fault chat-completions-stream.no-done
      one of the planted faults: touchstone serve --list-faults
  touchstone serve --host 0.0.0.0 --port 8787 --region eu --path-prefix /eu
  touchstone serve --route eu=http://eu:8787 --route us=http://us:8787
      in containers: a region, and the balancer before two; fixtures/mock/compose.yaml of the package
  touchstone serve --write-target served.yaml
      and in another terminal: touchstone run --target served.yaml

A single request asks for a fault or a variant by itself, with a header or, for a client that
can set none, below a path:
  curl -H 'x-touchstone-fault: status:503' …       curl -H 'x-touchstone-variant: framing.crlf' …
  base URL http://127.0.0.1:8787/_touchstone/fault/stall:2
GET http://127.0.0.1:8787/_touchstone/faults lists all of them.

PUT /_touchstone/script plays the script in its body, DELETE the one from before:
  curl -X PUT http://127.0.0.1:8787/_touchstone/script --data-binary @answers.yaml

GET /_touchstone/requests shows the requests so far, DELETE forgets them; ?protocol=messages&status=4xx,
path, model, key, region and since (the number of a request, or a time) choose some of them:
  curl 'http://127.0.0.1:8787/_touchstone/requests?path=/v1/messages&since=12'
GET /_touchstone/metrics has the numbers for Prometheus.
No page in a browser can ask anything below /_touchstone/: it answers no other origin, and goes by the
names of this machine, --host and --allow-host alone.

Other keys than the fixed ones stand in the environment:
  ${keyRoles.map(keyVariable).join('\n  ')}

It keeps everything in memory, up to the limits above, and ends with Ctrl-C.`;
