import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../kernel/core/index.ts';
import { table } from './table.ts';

interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly default: string }>
  >;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
}

export function actionTable(): string {
  const action: Action = parse(readFileSync(join(packageRoot, 'action.yml'), 'utf8'));
  return table(
    ['', 'name', 'what it is', 'default'],
    [
      ...Object.entries(action.inputs).map(([name, input]) => [
        'input',
        `\`${name}\``,
        input.description,
        input.default === '' ? '' : `\`${input.default}\``,
      ]),
      ...Object.entries(action.outputs).map(([name, output]) => [
        'output',
        `\`${name}\``,
        output.description,
        '',
      ]),
    ],
  );
}
