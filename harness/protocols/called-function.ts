/** Enough for the call of a small function; the limit of baseline generations may be too low for one. */
export const callLimit = 256;

/** What makes a model call it. */
export const question = 'What is the weather in Paris?';

/** The function that a forced call wants called. */
export const calledFunction = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
} as const;
