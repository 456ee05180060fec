import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { adapterFile, adapterNames } from '../../features/client/index.ts';
import { fixture } from '../../kernel/core/index.ts';
import { table } from './table.ts';

interface Driver {
  readonly packages: readonly string[];
  readonly client: string;
  /** Functions by protocol and task. */
  readonly tasks: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const drivers: ReadonlyMap<string, Driver> = new Map(
  await Promise.all(
    adapterNames().map(
      async (name): Promise<[string, Driver]> => [
        name,
        await import(pathToFileURL(adapterFile(name)).href),
      ],
    ),
  ),
);

export function clientDriversTable(): string {
  const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  const known = (tasks: Driver['tasks']): string =>
    Object.entries(tasks)
      .map(([protocol, tasks]) => `\`${protocol}\`: ${Object.keys(tasks).join(', ')}`)
      .join('; ');
  return table(
    ['driver', 'packages', 'tasks', 'what the function of `--with` returns'],
    [...drivers].map(([name, { packages, tasks, client }]) => [
      code([name]),
      code(packages),
      known(tasks),
      client,
    ]),
  );
}

export function clientTasksTable(): string {
  const schema = JSON.parse(readFileSync(fixture('clients', 'task.schema.json'), 'utf8'));
  const tasks: readonly { const: string; description: string }[] = schema.properties.task.oneOf;
  return table(
    ['task', 'what is to be done'],
    tasks.map(({ const: name, description }) => [`\`${name}\``, description]),
  );
}
