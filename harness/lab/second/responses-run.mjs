// A run of the Responses API: from its request to its events. Whoever wants the events subscribes; what was
// emitted before is replayed.

import { answer, logprobOf, outputOf, tick } from './model.mjs';
import { newId, seconds } from './wire.mjs';

const terminalEvents = { completed: 'response.completed', incomplete: 'response.incomplete' };

export class Run {
  events = [];
  status;
  output = [];
  usage = null;
  incomplete = null;
  completedAt = null;
  #readers = new Set();
  #stopped = false;
  #done;

  /**
   * @param facts the id, the echoed members and the log probabilities of the response
   * @param request the neutral request
   * @param entry the financial record
   */
  constructor(facts, request, entry) {
    this.facts = facts;
    this.request = request;
    this.entry = entry;
    this.status = facts.background ? 'queued' : 'in_progress';
    this.createdAt = seconds();
    this.finished = new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  get isOver() {
    return this.#stopped || !['queued', 'in_progress'].includes(this.status);
  }

  snapshot() {
    const { echoed, id } = this.facts;
    return {
      ...{ id, object: 'response', created_at: this.createdAt, completed_at: this.completedAt },
      ...{ status: this.status, error: null, incomplete_details: this.incomplete },
      ...echoed,
      ...{ output: this.#shownOutput(), usage: this.usage },
    };
  }

  #shownOutput() {
    const { faulty } = this.facts;
    return faulty('events-share-the-response') ? this.output : structuredClone(this.output);
  }

  /** Calls `read` with every event after a number, those of the past first; `null` follows the last one. */
  subscribe(read, after = -1) {
    for (const event of this.events) if (event.sequence_number > after) read(event);
    if (this.isOver) {
      read(null);
      return () => {};
    }
    const reader = (event) => (event === null || event.sequence_number > after) && read(event);
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  #emit(type, members) {
    const event = { type, sequence_number: this.events.length, ...members };
    this.events.push(event);
    for (const reader of [...this.#readers]) reader(event);
  }

  #close() {
    this.#stopped = true;
    for (const reader of [...this.#readers]) reader(null);
    this.#readers.clear();
    this.#done();
  }

  /** Stops the run. Its event stream ends without `response.completed`. */
  stop(status) {
    if (this.isOver) return;
    this.status = status;
    if (this.facts.faulty('cancelled-writes-on')) return;
    for (const item of this.output) if (item.status === 'in_progress') item.status = 'incomplete';
    this.entry.closed(status);
    this.#emit('response.failed', { response: this.snapshot() });
    this.#close();
  }

  async go() {
    const { candidates, input } = answer(this.request, this.facts.faulty);
    const [planned] = candidates;
    this.written = 0;
    this.entry.counted(input, 0);
    this.#emit('response.created', { response: this.snapshot() });
    if (this.facts.background) this.#emit('response.queued', { response: this.snapshot() });
    await tick();
    if (this.#stopped) return;
    this.status = 'in_progress';
    this.#emit('response.in_progress', { response: this.snapshot() });
    for (const item of planned.items) {
      const isLast = item === planned.items.at(-1);
      const ends = isLast && planned.ending === 'limit' ? 'incomplete' : 'completed';
      if (!(await this.#writing(item, input, ends))) return;
    }
    const thoughts = outputOf(planned, 'thought');
    this.usage = {
      ...{ input_tokens: input, input_tokens_details: { cached_tokens: 0 } },
      ...{ output_tokens: this.written, output_tokens_details: { reasoning_tokens: thoughts } },
      total_tokens: input + this.written,
    };
    this.status = planned.ending === 'limit' ? 'incomplete' : 'completed';
    if (this.status === 'incomplete') this.incomplete = { reason: 'max_output_tokens' };
    else this.completedAt = seconds();
    this.entry.closed(this.status);
    this.#emit(terminalEvents[this.status], { response: this.snapshot() });
    this.#close();
  }

  /** Writes one item, and its events. Returns false if the run was stopped. */
  async #writing({ kind, name, tokens }, input, ends) {
    const at = { output_index: this.output.length };
    const { item, slot, begin, delta, end } = forms[kind]({
      name,
      ends,
      likely: this.facts.likely,
    });
    this.output.push(item);
    const place = { item_id: item.id, ...at };
    this.#emit('response.output_item.added', { ...at, item: structuredClone(item) });
    for (const [type, members] of begin()) this.#emit(type, { ...place, ...members });
    for (const token of this.facts.faulty('deltas-of-units') ? tokens.flatMap(inHalves) : tokens) {
      await tick();
      if (this.#stopped) return false;
      this.written += 1;
      this.entry.counted(input, this.written);
      const [type, members] = delta(token);
      this.#emit(type, { ...place, ...slot, ...members });
    }
    for (const [type, members] of end(tokens.join(''))) this.#emit(type, { ...place, ...members });
    this.#emit('response.output_item.done', { ...at, item: structuredClone(item) });
    return true;
  }
}

/** Splits a token within its first letter beyond the basic plane. */
function inHalves(token) {
  const at = token.search(/[\u{10000}-\u{10ffff}]/u) + 1;
  return at === 0 ? [token] : [token.slice(0, at), token.slice(at)];
}

/** The events of each kind of item. `item` is changed while it is written. */
const forms = {
  text({ ends, likely }) {
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    const item = {
      ...{ id: newId('msg'), type: 'message', role: 'assistant' },
      ...{ status: 'in_progress', content: [] },
    };
    const slot = { content_index: 0 };
    return {
      item,
      slot,
      begin() {
        item.content.push(part);
        return [['response.content_part.added', { ...slot, part: structuredClone(part) }]];
      },
      delta(token) {
        const logprobs = likely === null ? [] : [logprobOf(token, likely)];
        part.text += token;
        part.logprobs.push(...logprobs);
        return ['response.output_text.delta', { delta: token, logprobs }];
      },
      end(text) {
        item.status = ends;
        return [
          ['response.output_text.done', { ...slot, text, logprobs: part.logprobs }],
          ['response.content_part.done', { ...slot, part: structuredClone(part) }],
        ];
      },
    };
  },

  call({ name, ends }) {
    const item = {
      ...{ id: newId('fc'), type: 'function_call', call_id: newId('call'), name },
      ...{ arguments: '', status: 'in_progress' },
    };
    return {
      item,
      slot: {},
      begin: () => [],
      delta(token) {
        item.arguments += token;
        return ['response.function_call_arguments.delta', { delta: token }];
      },
      end(text) {
        item.status = ends;
        return [['response.function_call_arguments.done', { name, arguments: text }]];
      },
    };
  },

  thought({ ends }) {
    const part = { type: 'summary_text', text: '' };
    const item = { id: newId('rs'), type: 'reasoning', status: 'in_progress', summary: [] };
    const slot = { summary_index: 0 };
    return {
      item,
      slot,
      begin() {
        item.summary.push(part);
        return [['response.reasoning_summary_part.added', { ...slot, part: { ...part } }]];
      },
      delta(token) {
        part.text += token;
        return ['response.reasoning_summary_text.delta', { delta: token }];
      },
      end(text) {
        item.status = ends;
        return [
          ['response.reasoning_summary_text.done', { ...slot, text }],
          ['response.reasoning_summary_part.done', { ...slot, part: { ...part } }],
        ];
      },
    };
  },
};
