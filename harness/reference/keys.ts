export interface FixtureKeys {
  /** User A. */
  readonly owner: string;
  /** User A, another key. */
  readonly sameUser: string;
  /** User B. */
  readonly otherUser: string;
  /** User A, permitted for `ts-shared` only. */
  readonly restricted: string;
}

export type KeyRole = keyof FixtureKeys;

export const keyRoles = [
  'owner',
  'sameUser',
  'otherUser',
  'restricted',
] as const satisfies readonly KeyRole[];

/** Key known to the gateway: its secret, its user, and its role in the fixtures. */
export interface Key {
  readonly role: KeyRole;
  readonly secret: string;
  readonly user: string;
}

/** Fixed secrets, so that a client under development needs to be configured only once; valid for this gateway only. */
export const fixtureKeys: FixtureKeys = {
  owner: 'ts-key-owner-4Zq9hT2mXw7RbN5cVy8KpD3s',
  sameUser: 'ts-key-same-user-8LrG6jUe3QaFt1HnZo5WxC2v',
  otherUser: 'ts-key-other-user-2MdY7kSb9PiJu4EgXh6BqT1f',
  restricted: 'ts-key-restricted-5CwN8zRo3VaKl6DpUm1GyJ9e',
};

/** Returns the environment variable from which `touchstone serve` takes the secret of a key. */
export function keyVariable(role: KeyRole): string {
  return `TOUCHSTONE_SERVE_KEY_${role.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

const users: Record<KeyRole, string> = {
  owner: 'user-a',
  sameUser: 'user-a',
  otherUser: 'user-b',
  restricted: 'user-a',
};

export function knownKeys(keys: FixtureKeys): readonly Key[] {
  return keyRoles.map((role) => ({ role, secret: keys[role], user: users[role] }));
}
