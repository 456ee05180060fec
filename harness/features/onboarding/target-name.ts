import { isIP } from 'node:net';
import { basename } from 'node:path';
import { isLoopback } from '../../kernel/targets/index.ts';

/** File names that do not identify a gateway. */
const anyFile = ['touchstone', 'target', 'gateway'];

/**
 * The name of an unnamed gateway: that of the file, if it is specific. Otherwise the common part of its regions' hosts.
 */
export function targetName(file: string, baseUrls: readonly string[]): string {
  const own = basename(file).replace(/\.ya?ml$/, '');
  if (!anyFile.includes(own)) return own;
  if (baseUrls.every(isLoopback)) return 'local gateway';
  const hosts = baseUrls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname);
  const [first = 'gateway', ...others] = hosts;
  if (isIP(first.replace(/^\[|\]$/g, '')) !== 0) return first;
  const labels = first.split('.').reverse();
  const differs = labels.findIndex((label, index) =>
    others.some((host) => host.split('.').reverse()[index] !== label),
  );
  const common = labels.slice(0, differs === -1 ? labels.length : differs);
  return common.length < 2 ? first : common.reverse().join('.');
}
