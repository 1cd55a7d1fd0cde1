// A deployment: a slug bound to a target and an auth mode. Cloud routes call it an endpoint.
import * as z from 'zod/mini';
import { isLoopbackHost } from './addresses.js';
import { taskDescription } from './task.js';
import {
  boundList,
  orEmpty,
  orNull,
  positiveInteger,
  printable,
  slug,
  step,
  timestamp,
  uuid,
} from './text.js';
import { AUTH_MODES, DEFAULT_OPERATION, OPERATION_NAMES } from './vocabulary.js';

const authMode = z.enum(AUTH_MODES);

/** UUIDs are the same in capitals. */
const jobId = uuid.check(z.toLowerCase());

/** A job's adapter: the final one or a checkpoint. */
export const adapterRef = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('final'), jobId }),
  z.strictObject({ kind: z.literal('checkpoint'), jobId, step }),
]);

export type AdapterRef = z.output<typeof adapterRef>;

const adapterTarget = z.strictObject({ kind: z.literal('adapter'), adapter: adapterRef });
const baseModelTarget = z.strictObject({
  kind: z.literal('base_model'),
  baseModel: z.string().check(z.minLength(1)),
});

export const target = z.discriminatedUnion('kind', [adapterTarget, baseModelTarget]);

export type Target = z.output<typeof target>;

/**
 * A target that follows the best adapter of a job as it trains, or the final adapter of a trainer's newest completed job.
 */
const follow = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('best'), jobId }),
  z.strictObject({ kind: z.literal('latest'), trainer: printable(100) }),
]);

export type Follow = z.output<typeof follow>;

/** Targets in requests to the cloud's own API, including those that change by themselves. */
const cloudTarget = z.discriminatedUnion('kind', [
  adapterTarget,
  baseModelTarget,
  z.strictObject({ kind: z.literal('follow'), follow }),
]);

export type CloudTarget = z.output<typeof cloudTarget>;

/** A target in a response: unknown fields from other clouds are dropped, not refused. */
export const answeredTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('adapter'),
    adapter: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('final'), jobId: z.string() }),
      z.object({ kind: z.literal('checkpoint'), jobId: z.string(), step }),
    ]),
  }),
  z.object({ kind: z.literal('base_model'), baseModel: z.string() }),
]);

const answeredFollow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('best'), jobId: z.string() }),
  z.object({ kind: z.literal('latest'), trainer: z.string() }),
]);

/** An earlier target, and since when it was served. */
const earlierTarget = z.object({ target: answeredTarget, since: timestamp });

/** The share of requests that a canary answers, such as 0.1. */
const share = z.number().check(z.gt(0), z.lt(1));

/** A second target, on trial with a share of the requests. */
const canary = z.object({
  target: answeredTarget,
  share,
  /** When it got its first share. */
  since: timestamp,
  /** Why it cannot serve right now, such as a damaged adapter. The stable target then answers its requests, too. */
  problem: z.optional(z.nullable(z.string())),
});

export type Canary = z.output<typeof canary>;

/** What a target did at an endpoint in the last hour, at most since the cloud started. */
const servedFigures = z.object({
  requests: z.int(),
  /** How many of them failed, before the answer or within it. */
  failed: z.int(),
  /** How many texts were generated to the end; the rest is about them. */
  answers: z.int(),
  /** From the request's admission to the end of its answer, on average. */
  meanMs: orNull(z.number()),
  promptTokens: z.int(),
  completionTokens: z.int(),
});

export type ServedFigures = z.output<typeof servedFigures>;

const retentionMode = z.enum(['unlimited', 'disabled', 'days']);

export const deployment = z.object({
  id: z.string(),
  slug: z.string(),
  orgId: orEmpty,
  projectId: orEmpty,
  /** The current target. */
  target: answeredTarget,
  /** What it follows: the target changes when a better adapter is available. Null or missing for a fixed one. */
  follows: z.optional(z.nullable(answeredFollow)),
  /** Latest first; missing from older clouds. */
  earlierTargets: z.optional(z.array(earlierTarget)),
  /** Null or missing if there is none. */
  canary: z.optional(z.nullable(canary)),
  /** What the target and the canary did; missing from older clouds. */
  lastHour: z.optional(
    z.object({
      target: servedFigures,
      canary: z.nullable(servedFigures),
      /** When the cloud started to count, if that is less than an hour ago. */
      countedSince: z.optional(timestamp),
    }),
  ),
  authMode,
  enabled: z.boolean(),
  /** The operations it offers. Newer clouds may send unknown ones, and older ones offer only `chat`. */
  operations: z._default(z.array(z.string()), [DEFAULT_OPERATION]),
  /** The origins whose web pages may call it. */
  corsOrigins: z._default(z.array(z.string()), []),
  urlFormat: z._default(z.literal('openai_compat'), 'openai_compat'),
  customDomain: orNull(z.string()),
  runRetentionMode: z._default(retentionMode, 'days'),
  runRetentionDays: orNull(z.int()),
  /** Whether requests and their answers are kept, for as long as the retention says; missing from older clouds. */
  keepRequests: z.optional(z.boolean()),
  /** Whether it follows only what has passed `svc ship`; missing from older clouds. */
  requireGate: z.optional(z.boolean()),
  /** The base URL, `https://<slug>.{deployment_domain}`. */
  url: z.url(),
  /** The same endpoint as a path, for resolvers that cannot resolve `<slug>.localhost`; null elsewhere. */
  pathUrl: orNull(z.url()),
  /** Why it cannot serve right now, such as a damaged adapter; missing from older clouds. */
  problem: z.optional(z.nullable(z.string())),
  /** The task of its target's job; null or missing if there is none. */
  task: z.optional(z.nullable(taskDescription)),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type Deployment = z.output<typeof deployment>;

/** Studio's request. Retention uses the server's defaults. */
export const deploymentInput = z.strictObject({ slug, target, authMode: z.optional(authMode) });

export type DeploymentInput = z.input<typeof deploymentInput>;

/** If it follows something, its target changes only to what has an evaluation for it that says so: `gate.passed`. */
const requireGate = z.optional(z.boolean());

/** The fields that Studio can change: all but the target, except that a canary may take its place or end. */
export const deploymentPatch = z.strictObject({
  enabled: z.optional(z.boolean()),
  authMode: z.optional(authMode),
  /** Makes the canary the target. Names the canary's target, so that a canary which was set meanwhile is not promoted unseen. */
  promote: z.optional(target),
  /** Ends the canary. */
  canary: z.optional(z.null()),
  requireGate,
});

export type DeploymentPatch = z.input<typeof deploymentPatch>;

/** The maximum length of names and addresses. */
const LONGEST = 270;
const SHOWN = 80;

const FORM = /^https?:\/\/(?:[^\s/?#@\\*%:[\]]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

const RULE =
  'must be an origin without a path, such as `https://app.example.com`, or `http://localhost:5173` on this machine';

const check = z.check<string>(payload => {
  const read = readOrigin(payload.value);
  if (read !== null) payload.value = read;
  else
    payload.issues.push({
      code: 'custom',
      message: `${RULE}, not \`${shorten(payload.value)}\``,
      input: payload.value,
    });
});

/**
 * A web page's origin, such as `https://app.example.com`, normalized to the form that browsers send: lowercase and without a
 * default port.
 */
const origin = z.string().check(check);

function readOrigin(text: string): string | null {
  if (text.length > LONGEST || !FORM.test(text) || !URL.canParse(text)) return null;
  const { origin: read, protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopbackHost(hostname) ? read : null;
}

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

const MOST_OPERATIONS = 50;
const MOST_ORIGINS = 20;

/** Fields that only the cloud's own API accepts. */
const cloudFields = {
  /** Added to `chat`, which every deployment offers. */
  operations: z.optional(boundList(z.array(z.enum(OPERATION_NAMES)), MOST_OPERATIONS)),
  /** The origins whose web pages may call it. */
  corsOrigins: z.optional(boundList(z.array(origin), MOST_ORIGINS)),
  runRetentionMode: z.optional(retentionMode),
  runRetentionDays: z.optional(z.nullable(positiveInteger)),
  /** Keeps requests and their answers for the project's members. Turning it off deletes the kept ones. */
  keepRequests: z.optional(z.boolean()),
  requireGate,
};

export const cloudDeploymentInput = z.extend(deploymentInput, {
  ...cloudFields,
  target: cloudTarget,
  /** Checks whether it can be created, and shows what it would be; nothing is, and the slug stays free. */
  dryRun: z.optional(z.boolean()),
});

export type CloudDeploymentInput = z.input<typeof cloudDeploymentInput>;

export const cloudDeploymentPatch = z.extend(deploymentPatch, {
  ...cloudFields,
  target: z.optional(cloudTarget),
  /** A second target for a share of the requests; null ends it. */
  canary: z.optional(z.nullable(z.strictObject({ target, share }))),
  /** Makes the change only if this is the target still: what a new one was compared with. */
  replaces: z.optional(target),
});

export type CloudDeploymentPatch = z.input<typeof cloudDeploymentPatch>;
