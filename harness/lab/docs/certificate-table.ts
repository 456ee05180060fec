import { less, levels, nonconformant, over, rejected } from '../../features/certificate/index.ts';
import { table } from './table.ts';

/** Results of `verify`, and the exit code of each. */
export function certificateTable(): string {
  const rows = [
    [levels.signed, 'a certificate, signed by a key that you named'],
    [levels.intact, 'nobody whom you named signed it, so anybody could have made it'],
    [nonconformant, 'it is what it says, and no certificate'],
    [less, 'it is what it says, and less than you demand'],
    [rejected, 'it is not what it says: a hash, a verdict or the signature does not agree'],
    [over, 'nothing is known of it: it is over a limit of size, depth, time or memory'],
  ] as const;
  return table(
    ['word', 'meaning', 'exit code'],
    rows.map(([{ word, exitCode }, meaning]) => [`\`${word}\``, meaning, String(exitCode)]),
  );
}
