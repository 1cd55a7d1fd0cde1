// Who calls: identities, organisations and projects, and what a cloud says of itself.
import * as z from 'zod/mini';
import { slug } from './slug.js';
import { orEmpty, orNull, printable, timestamp } from './text.js';

export const identityMode = z.enum(['anonymous', 'oauth']);

export type IdentityMode = z.output<typeof identityMode>;

export const org = z.object({ id: z.string(), slug: z.string(), name: z.string() });

export type Org = z.output<typeof org>;

/** What Studio tells its faces. There is no token in it, ever. */
export const identity = z.object({
  mode: identityMode,
  orgSlug: z.nullable(z.string()),
  projectSlug: z.nullable(z.string()),
  /** Null when the cloud is the production one: the header then leaves the host out. */
  cloudHost: z.nullable(z.string()),
  deploymentDomain: z.string(),
  baseModel: z.string(),
});

export type Identity = z.output<typeof identity>;

export const anonymousInput = z.strictObject({ kind: z.literal('cli') });

export const anonymousIdentity = z.object({
  token: z.string(),
  anonymousId: z.string(),
  kind: z._default(z.literal('cli'), 'cli'),
  personalOrg: org,
  deploymentDomain: z.string(),
  baseModel: z.string(),
});

export type AnonymousIdentity = z.output<typeof anonymousIdentity>;

export const me = z.object({
  mode: identityMode,
  /** The anonymous id, or the subject that the identity provider names. */
  subject: orEmpty,
  email: orNull(z.string()),
  orgs: z.array(org),
});

export type Me = z.output<typeof me>;

export const project = z.object({
  id: z.string(),
  orgId: orEmpty,
  slug: z.string(),
  name: orEmpty,
  createdAt: orNull(timestamp),
});

export type Project = z.output<typeof project>;

export const projectInput = z.strictObject({ name: printable(100), slug });

export type ProjectInput = z.input<typeof projectInput>;

/** Where users of a cloud sign in, and what their access tokens are for. */
export const identityProvider = z.object({ issuer: z.url(), audience: z.string(), clientId: z.string() });

export type IdentityProvider = z.output<typeof identityProvider>;

export const cloudInfo = z.object({
  version: z.string(),
  baseModel: z.string(),
  deploymentDomain: z.string(),
  /** HMAC-SHA256 of the nonce with the secret of `cloud.json`, both as text, in hex; null without a nonce. */
  proof: orNull(z.string()),
  /** Left out by a cloud that has none. */
  oauth: z.optional(identityProvider),
});

export type CloudInfo = z.output<typeof cloudInfo>;

export const cloudProblem = z.object({
  part: z.enum(['store', 'engine']),
  /** What is wrong, in a sentence. */
  message: z.string(),
});

export type CloudProblem = z.output<typeof cloudProblem>;

/**
 * How a cloud is. A degraded one answers 503, with an error and its problems. Callers with the cloud's secret also get
 * what it is doing.
 */
export const cloudHealth = z.looseObject({
  status: z._default(z.enum(['ok', 'degraded']), 'ok'),
  problems: z.optional(z.array(cloudProblem)),
  /** No job waits or runs, and no chat is being answered. */
  idle: z.optional(z.boolean()),
  jobs: z.optional(z.object({ queued: z.int(), running: z.int() })),
});

export type CloudHealth = z.output<typeof cloudHealth>;

/** What was deleted because nothing refers to it any more. */
export const collected = z.object({ files: z.int(), bytes: z.int() });

export type Collected = z.output<typeof collected>;

export const dataset = z.object({
  id: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  rows: z.int(),
  format: z.string(),
});

export type Dataset = z.output<typeof dataset>;
