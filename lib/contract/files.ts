// The files that the tools leave on disk and read again. Shapes only: who reads and writes them is elsewhere.
import * as z from 'zod/mini';
import { orNull } from './text.js';

const anonymousCredentials = z.looseObject({
  mode: z.literal('anonymous'),
  token: z.string(),
  anonymousId: z.string(),
  orgSlug: z.string(),
  deploymentDomain: z.string(),
  baseModel: z.string(),
});

const oauthCredentials = z.looseObject({
  mode: z.literal('oauth'),
  accessToken: z.string(),
  refreshToken: orNull(z.string()),
  expiresAt: z.union([z.string(), z.number()]),
  issuer: z.string(),
  clientId: z.string(),
  /** What the access token is for. */
  audience: z.optional(z.string()),
  /** The issuer gives no more tokens: they have to sign in again. */
  ended: z.optional(z.boolean()),
  /** The organisation of their own. */
  orgSlug: z.optional(z.string()),
  deploymentDomain: z.string(),
  baseModel: z.string(),
});

export const cloudCredentials = z.discriminatedUnion('mode', [anonymousCredentials, oauthCredentials]);

export type CloudCredentials = z.output<typeof cloudCredentials>;

/**
 * `~/.svc/credentials.json`: one entry a cloud, by `local` or by its origin. Only the entry in use is read as
 * `cloudCredentials`; what else stands in the file is kept.
 */
export const credentialsFile = z.looseObject({
  clouds: z.record(z.string(), z.looseObject({ mode: z.string() })),
  current: z.optional(z.string()),
  /** By cloud: the anonymous identity that waits there until whoever is signed in signs out. */
  anonymous: z.optional(z.record(z.string(), z.looseObject({ mode: z.string() }))),
});

export type CredentialsFile = z.output<typeof credentialsFile>;

const filled = z.string().check(z.minLength(1));

/** `.svc/state.json` of a project. */
export const stateFile = z.object({ orgSlug: filled, projectSlug: filled, projectId: filled });

export type StateFile = z.output<typeof stateFile>;

/** `.svc/studio.json` of a project: how scripts reach the Studio that runs there. */
export const studioFile = z.object({ url: z.url(), token: filled, pid: z.int() });

export type StudioFile = z.output<typeof studioFile>;

/** `cloud.json` in the local cloud's data folder. */
export const cloudFile = z.object({
  url: z.url(),
  port: z.int(),
  pid: z.int(),
  version: z.string(),
  secret: filled,
});

export type CloudFile = z.output<typeof cloudFile>;
