import { expect, test } from 'vitest';
import { isSecretName } from './names.ts';

test.each([
  'x-portkey-api-key',
  'x-portkey-virtual-key',
  'x-portkey-config',
  'x-api-key',
  'cookie',
])('what the header %s holds is a secret', (name) => expect(isSecretName(name)).toBe(true));

// Masked as a secret, `anthropic` would be masked in every name of a publisher, too.
test.each([
  'x-portkey-provider',
  'x-portkey-custom-host',
  'idempotency-key',
  'x-ratelimit-limit-tokens',
])('what the header %s holds is none', (name) => expect(isSecretName(name)).toBe(false));
