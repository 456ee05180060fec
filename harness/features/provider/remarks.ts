import type { Modifier } from '../../kernel/cli/index.ts';
import { protocolTitles } from '../../kernel/core/index.ts';

/** Says in each report which providers Touchstone played, and what the gateway does on purpose. It has no options. */
export const remarks: Modifier = {
  options: {},
  examples: '',
  assertUsable() {},
  modify: (judge) => judge,
  remarkOf({ target: { providers = [], declares = [] } }) {
    const routes = providers.map(({ model, asks, as }) => {
      return `${model} (asked for in ${protocolTitles[asks]} as ${as})`;
    });
    return [
      ...(routes.length === 0
        ? []
        : [
            {
              name: 'Providers',
              said: `Touchstone played the provider of ${routes.join(', ')}; nobody was paid for these`,
            },
          ]),
      ...(declares.length === 0
        ? []
        : [{ name: 'Does on purpose', said: `The target file says: ${declares.join('; ')}` }]),
    ];
  },
};
