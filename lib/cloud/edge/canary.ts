// Which of an endpoint's two targets answers a request.
import { createHash } from 'node:crypto';
import type { StoredDeployment } from '../deployments/deployment-rows.js';

/** As callers see it in the `svc-target` header. */
export type Side = 'stable' | 'canary';

/** Names the target that answered. In a request, it asks for one. */
export const TARGET_HEADER = 'svc-target';
/** Requests with the same text get the same target for as long as the canary and its share stay. */
const SESSION_HEADER = 'svc-session';

interface Choice {
  deploymentId: string;
  canary: NonNullable<StoredDeployment['canary']>;
  headers: Headers;
  /** The request, as far as it says who is calling. */
  body: object;
  /** From 0 up to 1. */
  random: () => number;
}

/**
 * A request may name its target. One that names its session or user always gets the same, so that a conversation does not
 * change its model; a larger share only adds sessions. All others are drawn at random.
 */
export function chooseSide({ deploymentId, canary, headers, body, random }: Choice): Side {
  const wanted = headers.get(TARGET_HEADER);
  if (wanted === 'stable' || wanted === 'canary') return wanted;
  const session = headers.get(SESSION_HEADER) || findUser(body);
  const drawn = session ? toFraction(`${deploymentId}\n${canary.since}\n${session}`) : random();
  return drawn < canary.share ? 'canary' : 'stable';
}

/** In OpenAI's format, and in Anthropic's. */
function findUser(body: object): string | null {
  const { user, safety_identifier, metadata } = body as Record<string, unknown>;
  const { user_id } = (metadata ?? {}) as Record<string, unknown>;
  const named = [user, safety_identifier, user_id].find(value => typeof value === 'string' && value !== '');
  return (named as string | undefined) ?? null;
}

/** Evenly spread from 0 up to 1. */
function toFraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
