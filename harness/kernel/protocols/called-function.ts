/**
 * Enough for two calls of a small function, where the limit of the target file is lower: that of baseline
 * generations may be too low for one.
 */
export const callLimit = 512;

/** Default question, which makes a model call the function. */
export const question =
  'What is the weather in Paris and in Rome? Call the function once for each city.';

/** Text that one argument has to repeat word for word, so that a lost or doubled fragment shows. */
export const constantArgument =
  'I ask for the weather of today in this city, and I know that no forecast is certain. The clouds ' +
  'may come later than the wind, and the rain may stay away for the whole of the afternoon. Tell me ' +
  'how warm it is in the morning and in the evening, and whether I should take a coat and an umbrella.';

export const constantWords = constantArgument.split(' ').length;

/** The function that a forced call wants called. */
export const calledFunction = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Name of the city' },
      terms: {
        type: 'string',
        enum: [constantArgument],
        description: 'The terms of the request, word for word',
      },
    },
    required: ['city', 'terms'],
  },
} as const;
