// API keys of a deployment or a project, as responses show them.
import * as z from 'zod/mini';
import { orNull, printable, timestamp } from './text.js';

export const key = z.object({
  id: z.string(),
  label: z.string(),
  prefix: z.string(),
  enabled: z.boolean(),
  createdAt: timestamp,
  lastUsedAt: orNull(timestamp),
});

export type Key = z.output<typeof key>;

/** The response to issuing a key: the only one that contains the plaintext. */
export const issuedKey = z.extend(key, { plaintext: z.string() });

export type IssuedKey = z.output<typeof issuedKey>;

export const keyInput = z.strictObject({ label: printable(80) });
