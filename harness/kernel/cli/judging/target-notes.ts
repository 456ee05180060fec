import { shownProxies, type Target } from '../../targets/index.ts';
import { mostConnections } from '../../wire/index.ts';

/** Returns notes for the reader on the connection to a gateway, before anything is sent. */
export function notesOn(target: Target): readonly string[] {
  const { concurrency } = target.limits;
  const most = mostConnections();
  return [
    ...shownProxies(target).map((proxy) => `Requests go through the proxy ${proxy}.`),
    ...(concurrency <= most
      ? []
      : [
          `This machine allows too few open files for ${concurrency} requests at once: ${most} are sent at once. ` +
            'More are after `ulimit -n`.',
        ]),
  ];
}
