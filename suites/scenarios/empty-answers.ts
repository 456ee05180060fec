/** What may help where a model has not written a word. */
export const whereWordless =
  'where a model uses up its output limit with thoughts, raise `limits.maxOutputTokens` of the target file';
