import type { Asked } from '../asked.ts';
import type { FunctionTool, Prompt } from '../engine.ts';
import type { FixtureModel } from '../fixture-models.ts';
import type { JsonObject } from '../json.ts';

export interface ResponseRequest {
  readonly model: FixtureModel;
  readonly instructions: string | null;
  /** New input: items with ids; a plain string becomes one user message. */
  readonly input: readonly JsonObject[];
  readonly limit: number | null;
  readonly store: boolean;
  readonly background: boolean;
  readonly stream: boolean;
  readonly previousResponseId: string | null;
  readonly tools: readonly FunctionTool[];
  readonly callRequired: Prompt['callRequired'];
  readonly asked: Asked;
  /** True if reasoning items carry sealed content for the client to send back, if nothing is stored. */
  readonly sealsThoughts: boolean;
  /** False only for the warm-up of a WebSocket turn, which reads the input and generates nothing. */
  readonly generate: boolean;
  /** Members that the response object repeats, or their defaults. */
  readonly echo: Echo;
}

/** Repeated members, serialized once for all events and answers. */
export class Echo {
  readonly data: JsonObject;
  #text: string | null = null;

  constructor(data: JsonObject) {
    this.data = data;
  }

  /** Returns the JSON text without the braces. */
  get members(): string {
    this.#text ??= JSON.stringify(this.data).slice(1, -1);
    return this.#text;
  }
}
