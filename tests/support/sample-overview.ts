// The overview of a world of jobs and endpoints, as a cloud would give it.
import type {
  Deployment,
  JobSummary,
  Overview,
  ServedModel,
  ServedModelFacts,
} from '../../lib/contract/index.js';

export function overviewOf(world: {
  readonly jobs: readonly JobSummary[];
  readonly deployments: readonly Deployment[];
}): Overview {
  const isUnderWay = ({ status }: JobSummary) => status === 'running' || status === 'queued';
  return {
    running: world.jobs
      .filter(isUnderWay)
      .sort((a, b) => b.status.localeCompare(a.status))
      .slice(0, 5),
    recent: world.jobs.filter(job => !isUnderWay(job)).slice(0, 5),
    endpoints: world.deployments.map(({ id, slug, enabled }, index) => ({
      id,
      slug,
      enabled,
      requests: enabled ? 120 - 40 * index : 0,
      failed: index === 0 && enabled ? 3 : 0,
    })),
  };
}

/** As a cloud tells them of SmolLM2-135M. */
export const sampleModelFacts: ServedModelFacts = {
  ...{
    architecture: 'llama',
    parameters: 134_515_008,
    context: 8192,
    weightFormat: 'BF16',
    license: 'apache-2.0',
  },
  bytes: 272_600_000,
  memory: { training: { f32: 2.24e9, int8: 1.37e9 }, chat: { f32: 930e6, int8: 520e6 } },
  speed: { training: 512.4, answering: null },
  hasChatTemplate: true,
  sampling: {},
};

/** What a world says of its base model. */
export const servedModelOf = (world: {
  readonly identity: { readonly baseModel: string };
  readonly baseModel?: ServedModelFacts;
  readonly preparing?: string;
}): ServedModel => ({
  name: world.identity.baseModel,
  facts: world.baseModel ?? null,
  preparing: world.preparing ?? null,
});
