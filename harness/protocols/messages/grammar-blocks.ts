import { at, isObject, type JsonObject, parsed, shown, textAt } from '../../core/json-value.ts';
import type { ViolationLog } from '../grammar.ts';
import { Fragments } from '../grammar-fragments.ts';

interface Block {
  /** As its start says: it may be none. */
  readonly index: unknown;
  readonly type: string | null;
  readonly startedAt: number;
  stopped: boolean;
  json: string;
  /** Another block has started since. */
  followed: boolean;
  /** Where the first of its events stands that came after another block had started. */
  overlappedAt: number | null;
}

/** Which deltas are whose; types that nobody knows fit everywhere. */
const deltasOf: ReadonlyMap<unknown, readonly unknown[]> = new Map([
  ['text', ['text_delta', 'citations_delta']],
  ['thinking', ['thinking_delta', 'signature_delta']],
  ['tool_use', ['input_json_delta']],
]);
const knownDeltas: ReadonlySet<unknown> = new Set([...deltasOf.values()].flat());

const rule = 'blocks-open-and-close';

/** The part of the Messages grammar that follows content blocks. */
export class MessageBlocks {
  /** An event was lost: what was never started may have been. */
  tolerant = false;
  /** Why what the blocks say cannot be known in full. */
  unsure: string | null = null;
  /** The joined text of all text blocks, whichever their indexes. */
  text = '';
  readonly fragments = new Fragments();
  readonly #log: ViolationLog;
  readonly #blocks: Block[] = [];

  constructor(log: ViolationLog) {
    this.#log = log;
  }

  /** @param type `content_block_start`, `content_block_delta` or `content_block_stop` */
  read(type: string, body: JsonObject, index: number): void {
    if (at(body, 'content_block.type') === 'text')
      this.text += textAt(body, 'content_block.text') ?? '';
    if (at(body, 'delta.type') === 'text_delta') {
      const fragment = textAt(body, 'delta.text') ?? '';
      this.text += fragment;
      this.fragments.read(fragment, index);
    }
    if (type === 'content_block_start') this.#start(body, index);
    else if (type === 'content_block_delta') this.#delta(body, index);
    else this.#stop(body, index);
  }

  #start(body: JsonObject, index: number): void {
    const next = this.#blocks.length;
    const claimed = body.index;
    const known = this.#blocks.findLast((block) => block.index === claimed);
    if (known !== undefined && !known.stopped) {
      this.#log.violate(rule, index, 'each block started once', `block ${shown(claimed)} again`);
      return;
    }
    if (claimed !== next && !this.tolerant) {
      const expected = `index ${next} on the next content_block_start`;
      this.#log.violate('indexes-in-order', index, expected, `index ${shown(claimed)}`);
    }
    for (const block of this.#blocks) block.followed = true;
    this.#blocks.push(newBlock(claimed, textAt(body, 'content_block.type'), index));
  }

  #delta(body: JsonObject, index: number): void {
    const block = this.#find(body, index);
    if (block === undefined) return;
    if (block.stopped) {
      this.#log.violate(rule, index, 'no delta of a block after it stopped', shown(body));
    }
    const type = at(body, 'delta.type');
    const own = deltasOf.get(block.type);
    if (own !== undefined && knownDeltas.has(type) && !own.includes(type)) {
      const expected = `${own.join(' or ')} in a ${block.type} block`;
      this.#log.violate(rule, index, expected, shown(body.delta));
    }
    block.json += textAt(body, 'delta.partial_json') ?? '';
  }

  #stop(body: JsonObject, index: number): void {
    const block = this.#find(body, index);
    if (block === undefined) return;
    if (block.stopped) {
      this.#log.violate(
        rule,
        index,
        'each block stopped once',
        `block ${shown(block.index)} again`,
      );
    }
    block.stopped = true;
  }

  #find(body: JsonObject, index: number): Block | undefined {
    const open = this.#blocks.findLast((block) => !block.stopped);
    const found = this.#blocks.findLast((block) => block.index === body.index);
    // The index of its start was wrong, or is missing here; the first is told by its own rule.
    const misplaced = this.#log.isBroken('indexes-in-order') ? open : undefined;
    const block = found ?? misplaced;
    if (block === undefined) {
      if (!this.tolerant) {
        const actual = `${textAt(body, 'type')} of block ${shown(body.index)}, which was not started`;
        this.#log.violate(rule, index, 'content_block_start before the events of a block', actual);
      }
      if (body.index !== this.#blocks.length) return undefined;
      // It is the next one: from here on it counts as started, so that the next index fits.
      const unstarted = newBlock(body.index, null, index);
      this.#blocks.push(unstarted);
      return unstarted;
    }
    if (block.followed && !block.stopped) block.overlappedAt ??= index;
    return block;
  }

  /**
   * @param whole the stream came to its `message_stop`
   * @param complete no limit cut the message short, so that arguments must be whole
   */
  finish(end: number, { whole, complete }: { whole: boolean; complete: boolean }): void {
    for (const block of this.#blocks) {
      const { index, stopped, overlappedAt } = block;
      if (overlappedAt !== null) {
        const actual = `an event of block ${shown(index)} after the next block had started`;
        this.#log.violate('no-overlap', overlappedAt, 'one block open at a time', actual);
      } else if (!stopped && whole) {
        const expected = `content_block_stop for block ${shown(index)}`;
        this.#log.violate(rule, end, expected, 'the end of the message before it');
      }
      const joins = block.json === '' || isObject(parsed(block.json));
      if (joins || !complete || !whole || this.unsure !== null) continue;
      const expected = 'input_json_delta fragments that join to one JSON object';
      this.#log.violate('arguments-join', block.startedAt, expected, block.json);
    }
  }
}

function newBlock(index: unknown, type: string | null, startedAt: number): Block {
  return {
    index,
    type,
    startedAt,
    stopped: false,
    json: '',
    followed: false,
    overlappedAt: null,
  };
}
