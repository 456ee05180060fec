/**
 * True if a page with outdated counts is still fresh: always, except for `npm run docs`, which
 * renews them. A new check thus fails no page. A project of Vitest has its own `--mode`, so npm tells.
 */
export const keepCounts: boolean = process.env.npm_lifecycle_event !== 'docs';
