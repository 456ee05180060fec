import {
  type CheckResult,
  type CheckState,
  placeOf,
  protocolTitles,
} from '../../../kernel/core/index.ts';
import { type Block, type Inline, stateSign, type Tone } from '../../../kernel/report/index.ts';
import { type BoardGateway, newestOf } from './results.ts';

/** Rows of the catalogue that say whether a gateway serves a parameter, and whether the answer shows it. */
const [served, honoured] = ['generation/asked.supported-served:', 'generation/asked.not-ignored:'];

type ParameterFate = 'honoured' | 'ignored' | 'refused' | 'served' | 'undecided';
const tones: Readonly<Record<ParameterFate, Tone>> = {
  honoured: 'pass',
  served: 'note',
  ignored: 'warn',
  refused: 'fail',
  undecided: 'inconclusive',
};

const legend = Object.entries(tones)
  .map(([fate, tone]) => `${stateSign(tone)} ${fate}`)
  .join(', ');

/** Parameters of each protocol × gateways: what became of a request that has it. */
export function parameterTables(gateways: readonly BoardGateway[]): readonly Block[] {
  const states = gateways.map((one) => statesOf(newestOf(one).result.checks));
  const values = [...new Set(states.flatMap((one) => [...one.keys()]))].sort();
  const rows = values.flatMap((value) => {
    const fates = states.map((one) => fateOf(one.get(value)));
    return fates.every((fate) => fate === null) ? [] : [{ value, fates }];
  });
  if (rows.length === 0) return [];
  return [
    {
      block: 'section',
      title: 'Parameters',
      id: 'parameters',
      meaning: `each is sent to a model that declares it: ${legend}`,
      blocks: [
        {
          block: 'table',
          label: 'Parameters by gateway',
          dense: true,
          head: ['protocol', 'parameter', ...gateways.map(({ name }) => name)],
          rows: rows.map(({ value, fates }) => ({
            cells: [protocolOf(value), value.slice(value.indexOf('.') + 1), ...fates.map(fateCell)],
          })),
        },
      ],
    },
  ];
}

interface States {
  served?: CheckState;
  honoured?: CheckState;
}

function statesOf(checks: readonly CheckResult[]): ReadonlyMap<string, States> {
  const found = new Map<string, States>();
  for (const { id, verdict } of checks) {
    for (const [name, start] of Object.entries({ served, honoured })) {
      if (start === undefined || !id.startsWith(start)) continue;
      const value = id.slice(start.length);
      found.set(value, { ...found.get(value), [name]: verdict.state });
    }
  }
  return found;
}

/** @returns null for a parameter that no model declares */
function fateOf(states: States = {}): ParameterFate | null {
  const all = [states.served, states.honoured].filter(
    (state) => state !== undefined && state !== 'not-applicable' && state !== 'excluded',
  );
  if (all.length === 0) return null;
  if (states.served === 'fail') return 'refused';
  if (states.honoured === 'warn' || states.honoured === 'fail') return 'ignored';
  if (states.honoured === 'pass') return 'honoured';
  return states.served === 'pass' ? 'served' : 'undecided';
}

function fateCell(fate: ParameterFate | null): Inline {
  if (fate === null) return '';
  const tone = tones[fate];
  return { span: 'cell', tone, text: stateSign(tone), title: fate };
}

function protocolOf(value: string): string {
  const { subject } = placeOf(served + value);
  return Object.entries(protocolTitles).find(([name]) => name === subject)?.[1] ?? subject;
}
