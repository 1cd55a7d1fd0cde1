// Identities, organizations and projects, and how a cloud describes itself.
import * as z from 'zod/mini';
import { clusterActivity } from './cluster.js';
import { orEmpty, orNull, printable, slug, timestamp } from './text.js';
import { DEVICES, WEIGHT_PRECISIONS } from './vocabulary.js';

/** The Python on the cloud's machine that trains with PyTorch. While it is being checked, only its path is known. */
export const torchFacts = z.object({
  /** Its path. */
  python: z.string(),
  /** Of Python, and of PyTorch. */
  version: z.optional(z.string()),
  torch: z.optional(z.string()),
  /** The name of the GPU, or why jobs train on the CPU. */
  gpu: z.optional(z.nullable(z.string())),
  noGpu: z.optional(z.nullable(z.string())),
  /** Why it cannot train; null if it can. */
  problem: z.optional(z.nullable(z.string())),
});

export type TorchFacts = z.output<typeof torchFacts>;

export function describeTorch({ python, version, torch, gpu, noGpu, problem }: TorchFacts): string {
  if (problem != null) return `${python}: ${problem}`;
  if (torch === undefined) return `${python}, being checked`;
  const device = gpu ?? `the CPU: ${noGpu}`;
  return `PyTorch ${torch} (${python}, Python ${version}) on ${device}`;
}

const identityMode = z.enum(['anonymous', 'oauth']);

export type IdentityMode = z.output<typeof identityMode>;

const org = z.object({ id: z.string(), slug: z.string(), name: z.string() });

export type Org = z.output<typeof org>;

const slugText = z.string().check(z.minLength(1));
/** For callers that always send their full scope. */
export const orgQuery = z.strictObject({ orgSlug: slugText, projectSlug: z.optional(slugText) });
export const projectFields = { orgSlug: slugText, projectSlug: slugText };
export const projectQuery = z.strictObject(projectFields);

/** The organization and project of a call of the cloud API, which carries them in its query. */
export type Scope = z.output<typeof projectQuery>;

/** What Studio tells browser pages about the session. Never contains a token. */
export const identity = z.object({
  mode: identityMode,
  orgSlug: z.nullable(z.string()),
  projectSlug: z.nullable(z.string()),
  /** Null for the production cloud: the header then omits the host. */
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
  /** The anonymous ID, or the subject from the identity provider. */
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

/** The issuer where a cloud's users sign in, and the audience of their access tokens. */
const identityProvider = z.object({ issuer: z.url(), audience: z.string(), clientId: z.string() });

export type IdentityProvider = z.output<typeof identityProvider>;

export const cloudInfo = z.object({
  version: z.string(),
  baseModel: z.string(),
  deploymentDomain: z.string(),
  /** HMAC-SHA256 of the nonce, keyed with the secret from `cloud.json`, both as text; hex. Null without a nonce. */
  proof: orNull(z.string()),
  /** Left out by a cloud without one. */
  oauth: z.optional(identityProvider),
});

export type CloudInfo = z.output<typeof cloudInfo>;

const cloudProblem = z.object({
  part: z.enum(['store', 'engine', 'files', 'connections']),
  /** The problem, in one sentence. */
  message: z.string(),
});

export type CloudProblem = z.output<typeof cloudProblem>;

/**
 * The precision of the base model's weights; `f16` is that of runs and chats on the GPU. `auto`: int8 where it is faster on the cloud's
 * machine and expects nearly the same tokens as f32. `used` is then null until the first run or chat. `speedup` says how much
 * faster training is in int8 than in f32, or null if int8 is not exact there; `divergence`, where int8 is faster, how far its
 * expectations are from those of f32: the mean Kullback-Leibler divergence of the next token, in nats.
 */
const cloudWeights = z.object({
  setting: z.enum(['auto', ...WEIGHT_PRECISIONS]),
  used: z.nullable(z.enum(WEIGHT_PRECISIONS)),
  speedup: z.optional(z.nullable(z.number())),
  divergence: z.optional(z.number()),
});

export type CloudWeights = z.output<typeof cloudWeights>;

/** What chats compute on. */
const answeringDevice = z.object({
  used: z.enum(DEVICES),
  name: z.optional(z.string()),
  /** Why the CPU, in a sentence. */
  reason: z.optional(z.string()),
  /** How many times as fast as the CPU the GPU answers, one chat or many, whichever gains less. */
  speedup: z.optional(z.number()),
});

export type AnsweringDevice = z.output<typeof answeringDevice>;

/** What runs compute on. With `auto`, `used` is null until the GPU and the CPU have been compared. */
const cloudDevice = z.object({
  setting: z.enum(['auto', ...DEVICES]),
  used: z.nullable(z.enum(DEVICES)),
  name: z.optional(z.string()),
  /** Why the CPU, in a sentence. */
  reason: z.optional(z.string()),
  /** How many times as fast as the CPU the GPU trains. */
  speedup: z.optional(z.number()),
  /** Missing with `cpu`, which is for chats, too. */
  answers: z.optional(answeringDevice),
});

export type CloudDevice = z.output<typeof cloudDevice>;

/**
 * A cloud's health. A degraded cloud returns 503 with an error and its problems. Callers with the cloud's secret also
 * see its activity.
 */
export const cloudHealth = z.looseObject({
  status: z._default(z.enum(['ok', 'degraded']), 'ok'),
  problems: z.optional(z.array(cloudProblem)),
  /** No job is queued or running, and no chat is in progress. */
  idle: z.optional(z.boolean()),
  jobs: z.optional(z.object({ queued: z.int(), running: z.int() })),
  /** Uploads, previews and adapters being read or waiting to be read. */
  files: z.optional(z.object({ running: z.int(), waiting: z.int() })),
  cluster: z.optional(clusterActivity),
  weights: z.optional(cloudWeights),
  device: z.optional(cloudDevice),
  torch: z.optional(torchFacts),
});

export type CloudHealth = z.output<typeof cloudHealth>;

/** How much was deleted. */
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

/** A resumable upload. */
export const partialUpload = z.object({
  /** The digest of all of its bytes. */
  sha256: z.string(),
  /** How many bytes have arrived; null if the upload is unknown. */
  offset: orNull(z.int()),
});
