import { type Room, rooms } from './rooms.ts';
import { table } from './table.ts';

/** The rooms, and who may import whom. */
export function roomsTable(): string {
  return table(
    ['room', 'what is in it', 'may import'],
    Object.entries(rooms).map(([name, room]) => [filesOf(name), room.what, importsOf(name, room)]),
  );
}

function filesOf(name: string): string {
  if (name === 'suites') return '`../suites/`';
  return (rooms[name]?.files ?? [`${name}/`]).map((file) => `\`${file}\``).join(', ');
}

function importsOf(name: string, { mayImport }: Room): string {
  if (mayImport.length === 0) return 'no other room';
  const left = Object.keys(rooms).filter((other) => other !== name && !mayImport.includes(other));
  if (left.length < mayImport.length / 2) return `all but ${left.join(', ')}`;
  return mayImport
    .map((other) => rooms[other]?.files?.map((f) => `\`${f}\``).join(', ') ?? other)
    .join(', ');
}
