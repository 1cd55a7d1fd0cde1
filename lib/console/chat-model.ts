// The models to chat with: the base model and the final adapter of each completed job.
import type { Identity, JobSummary, Target } from '../contract/index.js';
import { shortId } from './labels.js';

export interface ChatModel {
  readonly target: Target;
  readonly name: string;
}

/** The ID of the base model beside those of jobs. */
export const BASE_MODEL = 'base';

/** Null while it is unknown. */
export function findChatModel(
  id: string | null,
  jobs: readonly JobSummary[],
  identity: Pick<Identity, 'baseModel'> | null,
): ChatModel | null {
  if (id === BASE_MODEL) {
    const { baseModel } = identity ?? {};
    return baseModel ? { target: { kind: 'base_model', baseModel }, name: baseModel } : null;
  }
  const job = jobs.find(job => job.id === id);
  if (!job) return null;
  const target = { kind: 'adapter', adapter: { kind: 'final', jobId: job.id } } as const;
  return { target, name: `${job.name} (job ${shortId(job.id)})` };
}
