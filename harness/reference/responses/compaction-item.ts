import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

// Encryption key of compaction items: their content is opaque to the client, and only this process can read it.
const secret = randomBytes(32);

export function sealed(summary: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, iv);
  const content = Buffer.concat([cipher.update(summary, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url');
}

/** Returns the summary in a sealed item, or null if this process did not seal it. */
export function summaryIn(encrypted: string): string | null {
  const bytes = Buffer.from(encrypted, 'base64url');
  if (bytes.length < 28) return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
