import type { Variant } from './variant.ts';

export const regionsVariants: readonly Variant[] = [
  {
    id: 'regions.three',
    what: 'There is a third region.',
    regions: ['ap'],
    override: () => ({}),
  },
];
