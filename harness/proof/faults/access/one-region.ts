import { endpoints, Refusal } from '../../../reference/index.ts';
import { decide, inOneRegion } from '../../decisions.ts';
import { handling, mainOperations } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Faults in regions other than the first, for checks that are judged in every region. Each is a copy of another
// fault: one per row or endpoint in the second region, and a different one in a third region.

const moved: Readonly<Record<string, readonly string[]>> = {
  us: [
    ...endpoints.map((endpoint) => `auth.keyless-${endpoint}`),
    'auth.any-key-messages',
    'auth.any-header-generate-content',
    'auth.key-shorter-chat-completions',
    'auth.other-header-systemone',
    'auth.fallback-header-responses-x-api-key',
    'auth.version-optional-messages',
    'auth.any-version-messages-count-tokens',
    'auth.query-key-messages',
    'auth.basic-scheme',
    'protocols.undeclared-served-messages',
    'protocols.undeclared-streamed-responses',
    'protocols.unknown-model-served-systemone',
    'protocols.default-model-chat-completions',
    'capabilities.background-anyway',
    'capabilities.stream-messages-as-json',
    'capabilities.count-tokens-anyway',
    'permissions.unpermitted-served-responses',
    'permissions.unpermitted-served-systemone',
    'background.unstored',
    'metering.count-charged-messages',
    'metering.compact-unrecorded',
    'models.no-list',
    'models.bare-ids',
    'models.list-unfiltered',
    'models.listed-twice',
    'models.no-owner',
    'models.catalog-openai-style',
    'models.catalog-page-skips',
    'native.enveloped-responses',
    'native.text-plain-messages',
    'native.enveloped-catalog',
  ],
  ap: [
    ...endpoints.map((endpoint) => `auth.any-key-${endpoint}`),
    'auth.keyless-messages-streamed',
    'auth.x-api-key-on-responses',
    'auth.key-other-case-messages',
    'auth.key-longer-generative',
    'auth.other-header-websocket',
    'auth.fallback-header-generative-bearer',
    'auth.streamed-messages-version-required',
    'auth.any-version-messages',
    'auth.query-key-systemone',
    'auth.scheme-optional',
    'protocols.undeclared-alternate-path-counted',
    'protocols.unknown-model-responses-in-background',
    'protocols.default-model-websocket',
    'capabilities.websocket-anyway',
    'capabilities.background-in-foreground',
    'permissions.unpermitted-alternate-path-streamed',
    'permissions.unpermitted-served-messages',
    'background.unstored-stream',
    'metering.count-charged-generative',
    'metering.compact-free',
    'models.catalog-bare-names',
    'models.catalog-unfiltered',
    'models.catalog-token-of-anybody',
    'models.list-shows-one-more',
    'native.enveloped-systemone',
  ],
};

const ofItsOwn: readonly Fault[] = [
  ...each(mainOperations, ([, operation]) => ({
    'regions.{0}-missing-in-us': {
      regions: ['us'],
      override: handling(operation, () => () => {
        throw new Refusal('unknown-path', 'There is nothing at this path.');
      }),
    },
  })),
  ...planted({
    'regions.listed-models-unknown-in-us': {
      regions: ['us'],
      override: decide('findModel', () => () => undefined),
    },
    'regions.protocol-breaks-in-us': {
      regions: ['us'],
      override: handling('messages.create', () => () => {
        throw new Refusal('internal-error', 'Something broke.');
      }),
    },
  }),
];

/**
 * Adds a row that sends a good request to each endpoint. Checks that are judged on every exchange send few requests
 * themselves, and none to further regions.
 */
function shownThere(fault: Fault): Fault {
  const onEveryExchange = fault.breaks.some((id) => /^(?:everywhere|metering|models)\//.test(id));
  if (!onEveryExchange) return fault;
  return { ...fault, shownBy: [...(fault.shownBy ?? []), 'access/credentials.own-header-served'] };
}

export function oneRegionFaults(all: readonly Fault[]): readonly Fault[] {
  const inOne = Object.entries(moved).flatMap(([region, ids]) =>
    ids.map((id) => {
      const fault = all.find((one) => one.id === id);
      if (fault === undefined) throw new Error(`There is no fault ${id} to plant in ${region}`);
      return inOneRegion(region, shownThere(fault));
    }),
  );
  return [...inOne, ...ofItsOwn];
}
