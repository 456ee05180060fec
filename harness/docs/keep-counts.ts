/**
 * Whether a page or a picture with other counts than now is fresh: yes, except for `npm run docs`, which
 * renews them. A new check then turns no page red.
 */
export const keepCounts: boolean = process.env.MODE !== 'docs';
