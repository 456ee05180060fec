import type { RunResult } from '../core/index.ts';
import { claimInWords, modelsInWords, mustsInWords } from './scope.ts';
import { subjectOf } from './subject.ts';
import { counted } from './words.ts';

function labelOf(result: RunResult): string {
  return `${subjectOf(result).noun} conformance`;
}

const paints = {
  conformant: '#2e7d32',
  'known-failures': '#5b6f1b',
  nonconformant: '#c62828',
  indeterminate: '#9e6a03',
  partial: '#9e6a03',
} as const;

/** A run's verdict as an SVG badge for a README. It needs no service and loads nothing. */
export function renderBadge(result: RunResult): string {
  const { verdict } = result;
  const label = labelOf(result);
  const message = messageOf(result);
  const left = widthOf(label);
  const right = widthOf(message);
  const width = left + right;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${message}">`,
    `  <title>${label}: ${message}</title>`,
    '  <clipPath id="round"><rect width="100%" height="20" rx="3"/></clipPath>',
    '  <g clip-path="url(#round)">',
    `    <rect width="${left}" height="20" fill="#444"/>`,
    `    <rect x="${left}" width="${right}" height="20" fill="${paints[verdict]}"/>`,
    '  </g>',
    '  <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    textElement(label, left / 2, left),
    textElement(message, left + right / 2, right),
    '  </g>',
    '</svg>',
    '',
  ].join('\n');
}

/** A run's verdict for a badge service, in the endpoint format of shields. */
export function renderBadgeEndpoint(result: RunResult): string {
  const badge = {
    schemaVersion: 1,
    label: labelOf(result),
    message: messageOf(result),
    color: paints[result.verdict],
  };
  return `${JSON.stringify(badge)}\n`;
}

function messageOf(result: RunResult): string {
  const { verdict, filters, strict, knownFailures, catalogue } = result;
  const claim = claimInWords(result);
  const known = knownFailures?.excused.length ?? 0;
  const isBut = verdict === 'known-failures';
  // The result of a filtered run says nothing about the whole.
  return [
    isBut ? `conformant but for ${counted(known, 'known failure')}` : verdict,
    ...[claim, claim === null ? null : modelsInWords(result)].filter((part) => part !== null),
    ...(strict ? ['strict'] : []),
    ...(known > 0 && !isBut ? [`${known} known`] : []),
    ...(filters.length > 0 ? ['filtered'] : []),
    ...(claim === null ? [] : [`${mustsInWords(result)}`, `catalogue ${catalogue.revision}`]),
  ].join(', ');
}

/** Text of a fixed width. The reader's font is unknown, so the text is stretched or compressed to fit. */
function textElement(text: string, middle: number, width: number): string {
  return `    <text x="${middle}" y="14" textLength="${width - 12}">${text}</text>`;
}

function widthOf(text: string): number {
  return Math.round(text.length * 6.6) + 12;
}
