import type { Call, Execution } from './call.ts';
import { allPieces, type Generation, type Prompt } from './engine.ts';
import { wholeMs } from './mock/pace.ts';
import { leastCached } from './prompt-cache.ts';
import { foregroundPace, type Pace, Run } from './run.ts';

/** Generates the output of a model, with the input tokens that its channel counts. */
export function generated(prompt: Prompt, call: Call): Generation {
  const { policy } = call.gateway.seams;
  const generation = policy.generate(prompt, call);
  const inputTokens = policy.read(generation.inputTokens, call);
  if (inputTokens < leastCached) {
    return inputTokens === generation.inputTokens ? generation : { ...generation, inputTokens };
  }
  const cached = call.gateway.cache.read(prompt, call.key?.user ?? '');
  return { ...generation, inputTokens, cached };
}

/**
 * Accepts a generation for a protocol that stores nothing: enters it in the ledger and starts it. The run ends when
 * it has been written or is cancelled.
 *
 * @param stream if false, the run has ended when this returns
 */
export function execute(prompt: Prompt, call: Call, stream: boolean): Run {
  const { gateway } = call;
  const generation = generated(prompt, call);
  const financial = gateway.ledger.open(call, {
    operation: 'generation',
    model: prompt.model,
    inputTokens: generation.inputTokens,
  });
  const usual = usualPace({ stream, background: false }, generation, call);
  return new Run(generation, financial, gateway.closing).start(
    gateway.seams.policy.pace(usual, call),
  );
}

/** Returns the pace of an answer. A JSON body is sent when its last token would have been sent. */
export function usualPace(
  { stream, background }: Pick<Execution, 'stream' | 'background'>,
  generation: Generation,
  { gateway, note }: Call,
): Pace {
  const { tokenMs, pacer } = gateway;
  const usual = background ? { tokenMs } : foregroundPace(stream, generation, gateway);
  const wait = pacer.waits(note.pace, typeof usual === 'string' ? 0 : usual.tokenMs);
  if (wait === null) return usual;
  if (stream || background) return { tokenMs, wait };
  note.holdMs = wholeMs(allPieces(generation).length, wait);
  return usual;
}

/** Delays an answer that is generated at once until the time when so many tokens would have been written. */
export function holdFor({ gateway, note }: Call, tokens: number): void {
  const wait = gateway.pacer.waits(note.pace, 0);
  if (wait !== null) note.holdMs = wholeMs(tokens, wait);
}

/**
 * Handles a run whose client has disconnected. The run stops, because its answer cannot be looked up, unless the
 * policy lets it continue.
 */
export function abandon(run: Run, call: Call): void {
  const execution = { store: false, background: false, stream: true };
  if (!call.gateway.seams.policy.outlivesClient(execution, call)) run.cancel();
}

/** Enters a count in the ledger, free of charge, and returns its result. */
export function count(inputTokens: number, model: string, call: Call): number {
  const { gateway } = call;
  gateway.ledger.open(call, { operation: 'count', model, inputTokens, status: 'completed' });
  return gateway.seams.policy.counted(inputTokens, call);
}
