/**
 * Whether a page or a picture with other counts than now is fresh: yes, except for `npm run docs`, which
 * renews them. A new check then turns no page red. A project of Vitest has its own `--mode`, so npm tells.
 */
export const keepCounts: boolean = process.env.npm_lifecycle_event !== 'docs';
