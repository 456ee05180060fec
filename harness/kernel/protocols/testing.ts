import { describe, expect, test } from 'vitest';
import type { StreamingProtocol } from '../core/protocol.ts';
import type { EventStream, Findings } from './grammar.ts';
import {
  type BrokenCase,
  brokenRules,
  goodStream,
  mutated,
  streamNames,
} from './samples/streams.ts';

/**
 * Tests common to every grammar: the valid streams of the protocol break no rule, each broken case breaks its own
 * rule, and each rule has a case.
 *
 * @param judge gets the name of the sample, from which the request follows
 * @param rules rules of the grammar. The text rule has separate tests
 */
export function testGrammar(
  protocol: StreamingProtocol,
  judge: (stream: EventStream, name: string) => Findings,
  broken: readonly BrokenCase[],
  rules: readonly string[],
): void {
  describe('good streams break no rule', () => {
    test.each(streamNames(protocol))('%s', (name) => {
      const findings = judge(goodStream(protocol, name), name);
      expect(findings.violations).toEqual([]);
      if (name !== 'error') expect([...findings.unjudged]).toEqual([]);
      expect(findings.ownEvents).toBeGreaterThan(0);
    });
  });

  describe('one edit breaks exactly one rule', () => {
    for (const [rule, what, stream, edit, how] of broken) {
      test(`${rule}: ${what} (${stream})`, () => {
        const edited = mutated(protocol, stream, edit, how);
        expect(brokenRules(judge(edited, stream))).toEqual([rule]);
      });
    }

    test('and each rule is broken by some', () => {
      const own = rules.filter((rule) => rule !== 'deltas-join-to-text');
      expect(new Set(broken.map(([rule]) => rule))).toEqual(new Set(own));
    });
  });
}
