import { checkEach, type EndpointName, expect, present } from '../../harness/index.ts';
import { ordinary } from '../ordinary.ts';
import { credentialAttempts } from './credential-attempts.ts';

checkEach('rules/auth.own-header-served', (endpoint: EndpointName) => ({
  on: ordinary[endpoint],
  judge: ({ ordinary }) => expect(ordinary).toBeServed(),
}));

checkEach('rules/auth.key-required', (endpoint: EndpointName) => ({
  on: credentialAttempts[endpoint],
  judge: ({ keyless, control }) => expect(keyless).toBeRefused({ control }),
}));

checkEach('rules/auth.unknown-key-refused', (endpoint: EndpointName) => ({
  on: credentialAttempts[endpoint],
  judge: ({ unknownKey, control }) => expect(unknownKey).toBeRefused({ control }),
}));

checkEach('rules/auth.foreign-header-refused', (endpoint: EndpointName, header: string) => ({
  on: credentialAttempts[endpoint],
  judge: ({ misplaced, control }) =>
    expect(present(misplaced.get(header), header)).toBeRefused({ control }),
}));
