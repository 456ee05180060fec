import type { Option } from 'commander';
import { optionsIn, runTable } from '../../kernel/cli/index.ts';
import { modifiers } from '../modifiers/index.ts';

interface ActionInput {
  readonly name: string;
  readonly description: string;
  readonly default: string;
}

/** Inputs of the action that are not options of `touchstone run`. */
const ownInputs: readonly ActionInput[] = [
  {
    name: 'ids',
    description:
      'Id prefixes to select checks by, separated by spaces or lines: storage/responses @messages',
    default: '',
  },
  {
    name: 'record',
    description:
      'true: also writes exchanges.jsonl, for recheck and for merging shards; keys are masked',
    default: 'false',
  },
  {
    name: 'merge',
    description:
      'Judge nothing, and merge the reports of shards, which these patterns name: parts/*/report.json',
    default: '',
  },
  {
    name: 'recordings',
    description: 'With merge: the recordings of the shards: parts/*/exchanges.jsonl',
    default: '',
  },
  {
    name: 'compare',
    description:
      'true: keeps the reports of a branch in the cache, and says in a comment on each pull request to it what broke and what was fixed (permission pull-requests: write; without it, in the job summary)',
    default: 'false',
  },
  {
    name: 'base-reports',
    description:
      'With compare: a folder with reports of the base branch, in place of those from the cache',
    default: '',
  },
  {
    name: 'name',
    description: 'Tells the comments and kept reports of several uses of this action apart',
    default: 'touchstone',
  },
  { name: 'reports', description: 'The folder for the reports', default: 'touchstone-reports' },
];

/** The options of `touchstone run` that the action passes on. */
export function handedOn(): readonly Option[] {
  const tables = [runTable, ...modifiers.map(({ options }) => options)];
  return tables.flatMap(optionsIn).filter(({ declared }) => declared.notInput === undefined);
}

export function takesValue({ flags }: Option): boolean {
  return /[<[]/.test(flags);
}

/** Every input of the action, except for the version that it installs. */
export function actionInputs(): readonly ActionInput[] {
  return [
    ...handedOn().map((option) => ({
      name: option.long?.slice(2) ?? '',
      description: described(option),
      default: '',
    })),
    ...ownInputs,
  ];
}

function described(option: Option): string {
  const { argChoices } = option;
  const description = `${option.description.slice(0, 1).toUpperCase()}${option.description.slice(1)}`;
  if (!takesValue(option)) return `true: ${option.description}`;
  const choices = argChoices === undefined ? '' : ` (${argChoices.join(' or ')})`;
  return `${description.replace('may be repeated', 'one on each line')}${choices}`;
}
