import type { Attack } from './attack.ts';
import { framingAttacks } from './framing-attacks.ts';
import { jsonAttacks } from './json-attacks.ts';
import { secretAttacks } from './secret-attacks.ts';
import { socketAttacks } from './socket-attacks.ts';
import { streamAttacks } from './stream-attacks.ts';

/** All that hostile gateways were seen to do, or were thought of. */
export const attacks: readonly Attack[] = [
  ...framingAttacks,
  ...streamAttacks,
  ...jsonAttacks,
  ...secretAttacks,
  ...socketAttacks,
];
