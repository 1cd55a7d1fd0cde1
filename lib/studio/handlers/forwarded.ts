// Requests that Studio forwards to the cloud's route of the same name, with its identity and project. Nothing
// else gets through, and Studio's route table restricts what may be sent.
import type { CallInput } from '../../client/index.js';
import { ApiError, type CloudRoutes, type StudioRoutes } from '../../contract/index.js';
import { type Handlers, onUndelivered } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';

type Name = keyof StudioRoutes & keyof CloudRoutes;

/** Without a project: the error for a missing item, or an empty response. */
type WithoutProject = ((id: string) => ApiError) | object;

const FORWARDED = {
  getJob: jobNotFound,
  updateJob: jobNotFound,
  listJobSettings: { jobs: [] },
  listJobRows: jobNotFound,
  listJobAnswers: jobNotFound,
  getOverview: { running: [], recent: [], endpoints: [] },
  listDeployments: { deployments: [] },
  getDeployment: deploymentNotFound,
  updateDeployment: deploymentNotFound,
  listDeploymentKeys: deploymentNotFound,
  revokeDeploymentKey: deploymentNotFound,
  listKeptRequests: deploymentNotFound,
  getKeptRequest: deploymentNotFound,
  updateKeptRequest: deploymentNotFound,
  deleteKeptRequest: deploymentNotFound,
  listEvaluations: { evaluations: [] },
  getEvaluation: evaluationNotFound,
  listEvaluationRows: evaluationNotFound,
  deleteEvaluation: evaluationNotFound,
  getCluster: { cluster: null },
} satisfies Partial<Record<Name, WithoutProject>>;

/**
 * Other implementations of the cloud may lack these routes. The response is then the same as without a
 * project.
 */
const OPTIONAL: Partial<Record<Name, (error: ApiError) => boolean>> = {
  getOverview: ({ code }) => code === 'unknown_url',
  getCluster: ({ status }) => status === 404,
  listEvaluations: ({ code }) => code === 'unknown_url',
};

type Forwarding = Handlers<Pick<StudioRoutes, keyof typeof FORWARDED>>;

export function createForwardingHandlers(project: ProjectAccess) {
  const handlers = Object.entries<WithoutProject>(FORWARDED).map(([name, without]) => [
    name,
    (input: Input) => forward(project, name as Name, without, input),
  ]);
  return {
    ...(Object.fromEntries(handlers) as Forwarding),
    ...createCreatingHandlers(project),
  };
}

interface Input extends Pick<CallInput, 'query'> {
  params: Record<string, string>;
  body?: unknown;
  idempotencyKey: string | null;
  request: Request;
}

async function forward(
  { existing, ifAny }: ProjectAccess,
  name: Name,
  without: WithoutProject,
  input: Input,
): Promise<unknown> {
  // Changes are not aborted halfway if the caller leaves.
  const signal = input.request.method === 'GET' ? input.request.signal : undefined;
  const call = toCall(input, signal);
  if (typeof without === 'function')
    return existing(
      () => without(input.params.id!),
      cloud => cloud.call(name, call),
    );
  try {
    return (await ifAny(cloud => cloud.call(name, call))) ?? without;
  } catch (error) {
    if (error instanceof ApiError && OPTIONAL[name]?.(error)) return without;
    throw error;
  }
}

function toCall({ params, query, body, idempotencyKey }: Input, signal?: AbortSignal): CallInput {
  return { params, query, json: body, idempotencyKey: idempotencyKey ?? undefined, signal };
}

function createCreatingHandlers({
  ensure,
  existing,
}: ProjectAccess): Handlers<Pick<StudioRoutes, 'createDeployment' | 'issueDeploymentKey'>> {
  return {
    createDeployment: input => ensure(cloud => cloud.call('createDeployment', toCall(input))),
    issueDeploymentKey(input) {
      const {
        request,
        params: { id },
      } = input;
      return existing(
        () => deploymentNotFound(id),
        async cloud => {
          const issued = await cloud.call('issueDeploymentKey', toCall(input, request.signal));
          // If the client left before the plaintext arrived, nobody knows the key, so it is revoked.
          onUndelivered(request, () => void cloud.revokeDeploymentKey(id, issued.key.id).catch(() => {}));
          return issued;
        },
      );
    },
  };
}

export function jobNotFound(id: string): ApiError {
  return new ApiError('job_not_found', `No job ${id}: this project has no jobs yet.`);
}

function deploymentNotFound(id: string): ApiError {
  return new ApiError('deployment_not_found', `No endpoint ${id}: this project has no endpoints yet.`);
}

function evaluationNotFound(id: string): ApiError {
  return new ApiError('evaluation_not_found', `No evaluation ${id}: this project has no evaluations yet.`);
}
