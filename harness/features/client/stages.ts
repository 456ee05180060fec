import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { decoded } from '../../kernel/protocols/index.ts';
import type { Call } from '../../reference/index.ts';
import type { Stage } from './stage.ts';

/** Finds the stage of a request. It is determined once, when the request arrives, and remembered. */
interface Stages {
  readonly all: Stage[];
  /** Finds the stage by the head of a request. Null if the head does not tell. */
  byHead(request: IncomingMessage): Stage | null;
  /** Finds the stage by the body of a request. Null if the body does not tell either. */
  byContent(request: IncomingMessage, body: Uint8Array): Stage | null;
  /** Assigns a request to a stage, so that `of` finds it. */
  take(request: IncomingMessage, stage: Stage): void;
  of(call: Pick<Call, 'headers'>): Stage | null;
  /** Remembers the stage at which an id was created, so that later requests with the id are attributed to it. */
  made(id: string, call: Call): void;
  /** The stage whose first connection must be refused, if it is active. */
  refusing(): Stage | null;
}

abstract class KnownStages implements Stages {
  readonly all: Stage[] = [];
  readonly #taken = new WeakMap<IncomingHttpHeaders, Stage>();

  take({ headers }: IncomingMessage, stage: Stage): void {
    this.#taken.set(headers, stage);
  }

  of({ headers }: Pick<Call, 'headers'>): Stage | null {
    return this.#taken.get(headers) ?? null;
  }

  made(_id: string, _call: Call): void {}

  refusing(): Stage | null {
    return null;
  }

  abstract byHead(request: IncomingMessage): Stage | null;
  abstract byContent(request: IncomingMessage, body: Uint8Array): Stage | null;

  protected atPath({ url = '' }: IncomingMessage): Stage | null {
    const [, token] = /^\/s\/([^/?]+)/.exec(url) ?? [];
    return this.all.find((stage) => stage.token === token) ?? null;
  }
}

/** Stages of a client that gets an address and a key for each start. */
export class StagesByAddress extends KnownStages {
  byHead(request: IncomingMessage): Stage | null {
    const shown = Object.values(request.headers).flat().join(' ');
    return this.atPath(request) ?? this.all.find(({ secret }) => shown.includes(secret)) ?? null;
  }

  byContent(): null {
    return null;
  }
}

/**
 * Stages of the upstream side of a gateway, which uses one address and one key. The request at the front identifies
 * the stage: by the word of the prompt, the model, or the id of an earlier response. If a gateway changes all of
 * them, only one stage is active at a time, and all requests belong to it.
 */
export class StagesByContent extends KnownStages {
  readonly #made = new Map<string, Stage>();

  /** Finds the stage by path, which only tells after a redirect. */
  byHead(request: IncomingMessage): Stage | null {
    return this.atPath(request);
  }

  byContent({ url = '' }: IncomingMessage, body: Uint8Array): Stage | null {
    const said = `${url}\n${decoded(url)}\n${Buffer.from(body).toString('latin1')}`;
    return (
      this.all.find(({ word }) => said.includes(word)) ??
      this.all.find(({ token, model }) => model.includes(token) && said.includes(token)) ??
      [...this.#made].find(([id]) => said.includes(id))?.[1] ??
      this.#alone()
    );
  }

  override made(id: string, call: Call): void {
    const stage = this.of(call);
    if (stage !== null) this.#made.set(id, stage);
  }

  override refusing(): Stage | null {
    const alone = this.#alone();
    return alone?.script.answer?.kind === 'refused' && !alone.met ? alone : null;
  }

  #alone(): Stage | null {
    const open = this.all.filter(({ isOver }) => !isOver);
    return open.length === 1 ? (open[0] ?? null) : null;
  }
}
