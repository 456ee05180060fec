import { errorIn } from './error-body.ts';
import { protocolOfEvent } from './event-protocol.ts';
import type { EventStream, Findings, StreamEvent } from './grammar.ts';
import type { Content, ContentReader } from './module.ts';
import { type CommonRule, ViolationLog } from './violation-log.ts';

/** A grammar that reads a stream event by event, and then judges its end. */
export abstract class StreamGrammar<Rule extends string> {
  protected readonly stream: EventStream;
  /** Content of the stream, read by the reader of its protocol. */
  protected readonly content: Content;
  protected readonly log: ViolationLog<Rule>;
  /** Number of events that belong to the protocol. */
  protected own = 0;
  /** True after an error event, which makes the rest of the answer unknown. */
  protected erred = false;

  constructor(stream: EventStream, reader: ContentReader) {
    this.stream = stream;
    this.content = reader.fromEvents(stream);
    this.log = new ViolationLog(stream.events);
  }

  protected abstract read(index: number, event: StreamEvent): void;

  protected abstract finish(): void;

  judge(): Findings<Rule | CommonRule> {
    for (const [index, event] of this.stream.events.entries()) this.read(index, event);
    this.finish();
    return {
      violations: this.log.violations(),
      unjudged: this.log.unjudged,
      ownEvents: this.own,
    };
  }

  /** True for an error in place of a chunk, which has no shape specific to this protocol. */
  protected isError(event: StreamEvent): boolean {
    if (protocolOfEvent(event) !== null || errorIn(event.json) === null) return false;
    this.erred = true;
    this.own++;
    return true;
  }
}
