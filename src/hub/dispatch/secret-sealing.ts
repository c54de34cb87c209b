/** Encrypts subscribers' secrets for the store with keys from outside it (AES-256-GCM), bound to their subscription. */
import { createCipheriv, createDecipheriv } from "node:crypto";

export interface SecretSealing {
  /** Returns the stored form of a secret. Without keys that is the secret itself. */
  seal(secret: string, subscriptionId: string): string;
  /** Returns the secret, or undefined when none of the keys decrypts it. */
  open(stored: string, subscriptionId: string): string | undefined;
}

const SEALED = "sealed:";
/** Precedes a plain secret that looks like a sealed one. */
const PLAIN = "plain:";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals with the first key and opens with any of them, so that keys can be rotated. Each has 32 bytes. */
export function makeSecretSealing(
  keys: readonly Uint8Array[],
  randomBytes: (count: number) => Uint8Array,
): SecretSealing {
  return {
    seal(secret, subscriptionId) {
      const [key] = keys;
      if (key === undefined) return /^(sealed|plain):/.test(secret) ? PLAIN + secret : secret;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(subscriptionId));
      const bytes = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return SEALED + bytes.toString("base64url");
    },
    open(stored, subscriptionId) {
      if (stored.startsWith(PLAIN)) return stored.slice(PLAIN.length);
      if (!stored.startsWith(SEALED)) return stored;
      const bytes = Buffer.from(stored.slice(SEALED.length), "base64url");
      return keys.map((key) => decrypt(bytes, key, subscriptionId)).find((secret) => secret !== undefined);
    },
  };
}

function decrypt(bytes: Buffer, key: Uint8Array, subscriptionId: string): string | undefined {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(subscriptionId))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined; // sealed with another key, or modified
  }
}
