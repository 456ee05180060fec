import type { Call } from './call.ts';
import { allPieces, type Generation, type Prompt } from './engine.ts';
import { wholeMs } from './mock/pace.ts';
import type { Execution } from './policy.ts';
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
 * Accepts a generation: enters it in the ledger and starts it. For the protocols that store nothing;
 * the run ends when it is written out, or when it is cancelled.
 *
 * @param stream the client follows it piece by piece; else it has ended when this returns
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

/** Returns the pace of an answer. An answer in one body is sent when its last token would have been sent. */
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

/** An answer that is made at once comes when so many tokens would have come. */
export function holdFor({ gateway, note }: Call, tokens: number): void {
  const wait = gateway.pacer.waits(note.pace, 0);
  if (wait !== null) note.holdMs = wholeMs(tokens, wait);
}

/**
 * Handles a run whose client has dropped the connection. The run stops, because nobody can look up its
 * answer, unless the policy lets it continue.
 */
export function abandon(run: Run, call: Call): void {
  const execution = { store: false, background: false, stream: true };
  if (!call.gateway.seams.policy.outlivesClient(execution, call)) run.cancel();
}

/** Enters a count in the ledger, at no charge, and gives what it answers. */
export function count(inputTokens: number, model: string, call: Call): number {
  const { gateway } = call;
  gateway.ledger.open(call, { operation: 'count', model, inputTokens, status: 'completed' });
  return gateway.seams.policy.counted(inputTokens, call);
}
