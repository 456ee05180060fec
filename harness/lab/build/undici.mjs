// The bundle has no more of the package than the code imports: all of it takes more time to load than one check.
export { default as errors } from 'undici/lib/core/errors.js';
export { default as Client } from 'undici/lib/dispatcher/client.js';
