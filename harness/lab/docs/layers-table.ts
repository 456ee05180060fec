import { kernelRooms, type Layer, layers } from './layers.ts';
import { table } from './table.ts';

export function layersTable(): string {
  return table(
    ['layer', 'what is in it', 'may import'],
    Object.entries(layers).map(([name, layer]) => [
      filesOf(name),
      layer.what,
      importsOf(name, layer),
    ]),
  );
}

function filesOf(name: string): string {
  if (name === 'suites') return 'suites of `../suites/`';
  if (name === 'scenarios') return '`../suites/scenarios/`';
  return (layers[name]?.files ?? []).map((file) => `\`${file}\``).join(', ');
}

function importsOf(name: string, { mayImport }: Layer): string {
  if (mayImport.length === 0) return 'no other layer';
  const left = Object.keys(layers).filter((other) => other !== name && !mayImport.includes(other));
  if (left.length < mayImport.length / 2) return `all but ${left.join(', ')}`;
  if (!kernelRooms.every((room) => mayImport.includes(room))) return mayImport.join(', ');
  return ['the kernel', ...mayImport.filter((other) => !kernelRooms.includes(other))].join(', ');
}
