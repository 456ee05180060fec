/** Text that one argument must repeat exactly, so that a lost or doubled fragment is visible. */
const terms =
  'I ask for the weather of today in this city, and I know that no forecast is certain. The clouds ' +
  'may come later than the wind, and the rain may stay away for the whole of the afternoon. Tell me ' +
  'how warm it is in the morning and in the evening, and whether I should take a coat and an umbrella.';

export const calledFunction = {
  definition: {
    name: 'get_weather',
    description: 'Tells the weather of a city.',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Name of the city' },
        terms: {
          type: 'string',
          enum: [terms],
          description: 'The terms of the request, word for word',
        },
      },
      required: ['city', 'terms'],
    },
  },
  terms,
  wordsOfTerms: terms.split(' ').length,
  /** Default question, which makes a model call the function. */
  question: 'What is the weather in Paris and in Rome? Call the function once for each city.',
  /**
   * Output limit that is enough for two calls. Replaces a lower limit of the target file, because the limit of
   * baseline generations may be too low for one call.
   */
  limit: 512,
};
