import type { Modifier } from '../../kernel/cli/index.ts';
import { load } from './load.ts';
import { repeat } from './repeat.ts';
import { shard } from './shard.ts';

/** Modifiers of `run`, the innermost first. */
export const modifiers: readonly Modifier[] = [load, repeat, shard];
