import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WithoutLogCommands } from '../core/log-commands.ts';
import { withoutKeys } from '../engine/without-keys.ts';
import { decode } from '../redaction/decode.ts';
import { keepIn, keptFrom, leaving } from '../redaction/index.ts';
import { renderConsole } from '../report/console.ts';
import { renderGithub } from '../report/github.ts';
import { hostile, hostileRun, hostileViews } from '../report/samples/hostile.ts';
import { formats } from './reports.ts';

/**
 * Factor on the number of cases: `TOUCHSTONE_FUZZ=100 npx vitest run --project harness
 * harness/kernel/terminal/every-output`.
 */
const longer = Number(process.env.TOUCHSTONE_FUZZ ?? '1');
/** A fixed seed for ordinary test runs; longer runs draw other cases. */
const bounded = longer === 1 ? { seed: 18 } : {};

/** A result, or what is shown of exchanges, with something else wherever a gateway's text stands. */
function saying<Value>(value: Value, text: string): Value {
  return replaced(value, text) as Value;
}

function replaced(value: unknown, text: string): unknown {
  if (typeof value === 'string') return value.replaceAll(hostile, () => text);
  if (Array.isArray(value)) return value.map((item) => replaced(item, text));
  if (value instanceof Map) {
    return new Map([...value].map(([name, member]) => [name, replaced(member, text)]));
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(hostile, () => text),
      replaced(member, text),
    ]),
  );
}

const printed = { colour: false, width: 80 };

const character = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const key = fc
  .string({ unit: character, minLength: 12, maxLength: 60 })
  .filter((one) => /[a-z]\d|\d[a-z]/i.test(one));

test('no report and no line of a terminal shows a key, wherever it stands in a result', () => {
  fc.assert(
    fc.property(key, (secret) => {
      keepIn([secret]);
      const run = saying(hostileRun(), `the key "${secret}" is unknown`);
      const views = saying(hostileViews(), JSON.stringify({ key: secret }));
      const clean = withoutKeys(run);
      expect(clean.keysMasked).toEqual([
        'generation/responses-stream.hostile',
        'access/regions.hostile',
      ]);
      const outputs = {
        ...Object.fromEntries(
          formats.map(({ name, render }) => [name, render(run, { views }, `report.${name}`)]),
        ),
        // A terminal breaks lines, so what it prints was masked before.
        console: renderConsole(clean, printed),
        verbose: renderConsole(clean, { ...printed, verbose: true }),
        github: renderGithub(run),
      };
      for (const [name, text] of Object.entries(outputs)) {
        // A backslash, or the beginning of a percent code, at its end tells nothing.
        const shown = secret.toLowerCase().replace(/(?:\\+|%[0-9a-f]?)$/, '');
        expect(readings(leaving(text, name)), name).not.toContain(shown);
      }
      expect(keptFrom()).toEqual(expect.arrayContaining(['html', 'json', 'github', 'markdown']));
    }),
    { ...bounded, numRuns: 15 * longer },
  );
});

/** A text, and what is left of it layer by layer. */
function readings(text: string): string {
  const all = [text];
  for (let layer = decode(Buffer.from(text)); layer !== null && all.length < 4; ) {
    all.push(layer.bytes.toString());
    layer = decode(layer.bytes);
  }
  return all.join('\n').toLowerCase();
}

test('no line of a terminal is a command to a pipeline, whatever a gateway sends', () => {
  for (const payload of [
    '::error::taken',
    'a\n::set-output name=a::b\n \t::add-mask::x\r\n\u00a0::error::x',
    '%0A::error::x',
    'x ##[error]x ##vso[task.complete result=Succeeded;]',
    "##teamcity[buildStatus status='SUCCESS']",
    'section_start:1:x[collapsed=true]\r\u001b[0Kx\nsection_end:1:x\r\u001b[0K',
  ]) {
    const run = saying(hostileRun(), payload);
    for (const width of [60, 80, 120]) {
      for (const verbose of [false, true]) {
        const text = new WithoutLogCommands().next(
          renderConsole(run, { colour: false, width, verbose }),
        );
        expect(
          text.split(/[\r\n\u2028\u2029]/).filter((line) => line.trimStart().startsWith('::')),
        ).toEqual([]);
        expect(text).not.toMatch(/##(?:vso|teamcity)?\[|section_(?:start|end):/i);
        expect(text).not.toContain('\u001b');
      }
    }
    // Annotations are commands, and nothing within them may be another command.
    for (const line of renderGithub(run).trimEnd().split('\n')) {
      expect(line).toMatch(/^::(?:error|warning|notice) title=[^:]+::[^\r\n]*$/);
    }
  }
});
