import type { Asked } from '../asked.ts';
import type { FunctionTool, Prompt } from '../engine.ts';
import type { FixtureModel } from '../fixture-models.ts';
import type { JsonObject } from '../json.ts';

/** A create request, checked and with its defaults. */
export interface ResponseRequest {
  readonly model: FixtureModel;
  readonly instructions: string | null;
  /** The new input: items with ids, a plain string as one user message. */
  readonly input: readonly JsonObject[];
  readonly limit: number | null;
  readonly store: boolean;
  readonly background: boolean;
  readonly stream: boolean;
  readonly previousResponseId: string | null;
  readonly tools: readonly FunctionTool[];
  readonly callRequired: Prompt['callRequired'];
  readonly asked: Asked;
  /** Reasoning items carry what a client sends back where nothing is stored. */
  readonly sealsThoughts: boolean;
  /** False only for the warm-up of a WebSocket turn: the input is taken in, nothing is generated. */
  readonly generate: boolean;
  /** Members that the response object repeats as they came, or with their defaults. */
  readonly echo: Echo;
}

/** Written once, however many events and answers repeat it. */
export class Echo {
  readonly data: JsonObject;
  #text: string | null = null;

  constructor(data: JsonObject) {
    this.data = data;
  }

  /** Its JSON text, without the braces. */
  get members(): string {
    this.#text ??= JSON.stringify(this.data).slice(1, -1);
    return this.#text;
  }
}
