import { describe, expect, test, vi } from 'vitest';
import { Reruns, together } from './reruns.ts';

const never = new AbortController().signal;

describe('what asks for a run', () => {
  test('comes together as the larger, for all reasons', () => {
    const one = { scope: 'verdict', causes: ['known.txt changed'] } as const;
    const other = { scope: 'open', causes: ['Enter'] } as const;
    const all = { scope: 'all', causes: ['a'] } as const;
    expect(together(one, other)).toEqual({ scope: 'open', causes: ['known.txt changed', 'Enter'] });
    expect(together(all, other)).toEqual({ scope: 'all', causes: ['a', 'Enter'] });
    expect(together(null, other)).toBe(other);
    expect(together(other, other).causes).toEqual(['Enter']);
  });

  test('waits until nothing changes any more', async () => {
    vi.useFakeTimers();
    try {
      const reruns = new Reruns(500);
      let begun: unknown = null;
      const next = reruns.next(never).then((rerun) => (begun = rerun));
      reruns.changed({ scope: 'open', causes: ['a.ts changed'] });
      await vi.advanceTimersByTimeAsync(400);
      reruns.changed({ scope: 'open', causes: ['b.ts changed'] });
      await vi.advanceTimersByTimeAsync(400);
      expect(begun).toBe(null);
      await vi.advanceTimersByTimeAsync(100);
      expect(await next).toEqual({ scope: 'open', causes: ['a.ts changed', 'b.ts changed'] });
    } finally {
      vi.useRealTimers();
    }
  });

  test('does not wait when somebody asks, and is not lost when nobody listens yet', async () => {
    const reruns = new Reruns(60_000);
    reruns.changed({ scope: 'open', causes: ['a.ts changed'] });
    reruns.asked({ scope: 'all', causes: ['a'] });
    expect(await reruns.next(never)).toEqual({ scope: 'all', causes: ['a.ts changed', 'a'] });
    const later = reruns.next(never);
    reruns.asked({ scope: 'open', causes: ['Enter'] });
    expect(await later).toEqual({ scope: 'open', causes: ['Enter'] });
  });

  test('is over when the user ends it', async () => {
    const ended = new AbortController();
    const next = new Reruns(0).next(ended.signal);
    ended.abort();
    expect(await next).toBe(null);
    expect(await new Reruns(0).next(ended.signal)).toBe(null);
  });
});
