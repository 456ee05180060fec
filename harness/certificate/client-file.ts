import type { Target } from '../target/target.ts';

/** A client that was judged, as `client.json` describes it: what it is called, and how it was started. */
export function clientFile({ name, client }: Pick<Target, 'name' | 'client'>): string {
  return `${JSON.stringify({ name, ...client }, null, 2)}\n`;
}
