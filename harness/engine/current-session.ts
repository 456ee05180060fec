import { inject } from 'vitest';
import { Session } from './run-session.ts';

let session: Session | undefined;

/**
 * The run that this worker is part of: made on first use from what the main side provided.
 *
 * @throws {Error} when nothing was provided
 */
export function currentSession(): Session {
  session ??= new Session(orders());
  return session;
}

function orders() {
  const order = inject('touchstone');
  if (order === undefined) {
    throw new Error(
      'No target: checks run through `touchstone run`, or through a Vitest project whose ' +
        'globalSetup provides one (see vitest.config.ts)',
    );
  }
  return order;
}
