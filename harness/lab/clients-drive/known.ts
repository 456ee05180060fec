/** Calls that fail, and whose fault that is by the documents. */
export interface KnownBreak {
  /** A variant; null for the reference as it is. */
  readonly variant: string | null;
  /** The client's short name begins with this. */
  readonly client: string;
  /** The call's name begins with this. */
  readonly call: string;
  readonly because: string;
  readonly source: string;
}

export const knownBreaks: readonly KnownBreak[] = [];
