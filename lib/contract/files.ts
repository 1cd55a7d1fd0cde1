// Files that the tools write to disk and read back. Only their shapes; the code that reads and writes them is
// elsewhere.
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
  /** The audience of the access token. */
  audience: z.optional(z.string()),
  /** The issuer no longer renews tokens: the user has to sign in again. */
  ended: z.optional(z.boolean()),
  /** The user's personal organization. */
  orgSlug: z.optional(z.string()),
  deploymentDomain: z.string(),
  baseModel: z.string(),
});

export const cloudCredentials = z.discriminatedUnion('mode', [anonymousCredentials, oauthCredentials]);

export type CloudCredentials = z.output<typeof cloudCredentials>;

/**
 * `~/.svc/credentials.json`: one entry per cloud, keyed by `local` or by origin. Only the entry in use is parsed as
 * `cloudCredentials`; everything else in the file is kept as is.
 */
export const credentialsFile = z.looseObject({
  clouds: z.record(z.string(), z.looseObject({ mode: z.string() })),
  current: z.optional(z.string()),
  /** By cloud: the anonymous identity to restore after signing out. */
  anonymous: z.optional(z.record(z.string(), z.looseObject({ mode: z.string() }))),
});

export type CredentialsFile = z.output<typeof credentialsFile>;

const filled = z.string().check(z.minLength(1));

/** A project's `.svc/state.json`. */
export const stateFile = z.object({ orgSlug: filled, projectSlug: filled, projectId: filled });

export type StateFile = z.output<typeof stateFile>;

/** A project's `.svc/studio.json`: how scripts reach the Studio running there. */
export const studioFile = z.object({ url: z.url(), token: filled, pid: z.int() });

export type StudioFile = z.output<typeof studioFile>;

/** `cloud.json` in the local cloud's data folder. */
export const cloudFile = z.object({
  url: z.url(),
  port: z.int(),
  pid: z.int(),
  version: z.string(),
  secret: filled,
  /** The folder of the base model. Clouds of earlier versions do not say it. */
  modelFolder: z.optional(z.string()),
  /** Set while it is not at the port that it had before, because that was in use. */
  moved: z.optional(z.object({ from: z.int(), returns: z.boolean() })),
});

export type CloudFile = z.output<typeof cloudFile>;

type CloudPort = Pick<CloudFile, 'url' | 'port' | 'moved'>;

/** The port that a cloud takes at its next start if it is free. */
export function usualPort({ port, moved }: CloudPort): number {
  return moved?.returns ? moved.from : port;
}

/** What callers of its former port should know of a cloud that has just started; null if it has the port that it had before. */
export function describePort(before: CloudPort | null, now: CloudPort): string | null {
  if (now.moved)
    return `Port ${now.moved.from}, which this cloud used before, is in use by another program: the cloud is now at ${now.url}. Programs with the old base URL do not reach it. ${wayBack(now)}`;
  if (!before?.moved?.returns || before.moved.from !== now.port) return null;
  return `Port ${now.port} is free again: the cloud is back at ${now.url}. Programs with port ${before.port} in their base URL do not reach it anymore.`;
}

/** Why a running cloud is not at its former port; null if it is. The other program may be gone by now. */
export function describeMove(cloud: CloudPort, data = ''): string | null {
  return cloud.moved
    ? `${cloud.port}, because another program used port ${cloud.moved.from} when the cloud started. Programs with the old base URL do not reach it. ${wayBack(cloud, data)}`
    : null;
}

/** What brings a cloud back that has moved. `data`: what its commands need to be about it, such as ` --data DIR`. */
export function wayBack({ port, moved }: CloudPort, data = ''): string {
  return moved?.returns
    ? `It returns to port ${moved.from} at the first start that finds it free. To keep port ${port}, run "svc cloud stop${data}", then "svc cloud start${data} --port ${port}".`
    : `It keeps port ${port}. To move it back, free port ${moved?.from}, and run "svc cloud stop${data}", then "svc cloud start${data} --port ${moved?.from}".`;
}
