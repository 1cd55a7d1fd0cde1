// A project's models as OpenAI's clients see them: the base model, and every saved adapter of its jobs.
import {
  type AdapterRef,
  ApiError,
  isSameModel,
  type Model,
  readModelId,
  type Target,
  toAdapterRef,
  toModelId,
} from '../../contract/index.js';
import type { AskJudge } from '../../grading/index.js';
import type { AnswerDeps, ModelCall } from '../answers/answer.js';
import { createAskJudge } from '../answers/ask-judge.js';
import { describeModel, type ModelResolver } from '../answers/models.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';

/** The key's project. */
export interface KeyScope {
  projectId: string;
  orgId: string;
  orgSlug: string;
}

export async function readScope(db: Db, projectId: string): Promise<KeyScope> {
  const { orgId, orgSlug } = await db
    .selectFrom('projects')
    .innerJoin('orgs', 'orgs.id', 'projects.org_id')
    .select(['orgs.id as orgId', 'orgs.slug as orgSlug'])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow();
  return { projectId, orgId, orgSlug };
}

interface FoundModel {
  model: Model;
  target: Target;
}

export interface ProjectModels {
  /** The base model, then adapters by job, newest first; within a job, the final adapter before its checkpoints. */
  list(scope: KeyScope): Promise<Model[]>;
  /** Throws `model_not_found`. */
  find(scope: KeyScope, id: string): Promise<FoundModel>;
  /** The same for the `model` of a request body. */
  require(scope: KeyScope, modelId: unknown): Promise<FoundModel>;
}

/** How many adapters an error names, besides the base model. */
const NAMED_ADAPTERS = 2;

interface ProjectModelsContext {
  db: Db;
  deps: Pick<CloudDeps, 'baseModel'>;
}

export function createProjectModels({ db, deps: { baseModel: base } }: ProjectModelsContext): ProjectModels {
  const baseModel: FoundModel = {
    model: describeModel(base.name, null, 'svc'),
    target: { kind: 'base_model', baseModel: base.name },
  };

  /** Adapters of other base models are not served, so they are not listed. */
  async function readAdapters(
    { projectId, orgSlug }: KeyScope,
    { jobId, newest }: { jobId?: string; newest?: number } = {},
  ): Promise<FoundModel[]> {
    const rows = await db
      .selectFrom('artifacts')
      .innerJoin('jobs', 'jobs.id', 'artifacts.job_id')
      .select(['jobs.id', 'jobs.name', 'config', 'base_digest', 'jobs.created_at', 'kind', 'artifacts.step'])
      .where('project_id', '=', projectId)
      .$if(jobId !== undefined, query => query.where('jobs.id', '=', jobId!))
      .orderBy('number', 'desc')
      .orderBy('kind', 'desc')
      .orderBy('artifacts.step', 'desc')
      .$if(newest !== undefined, query => query.limit(newest!))
      .execute();
    return rows.flatMap(row => {
      const { model } = JSON.parse(row.config) as { model: string };
      if (!isSameModel({ name: model, digest: row.base_digest }, base)) return [];
      const adapter = toAdapterRef(row.id, row.kind === 'final' ? null : row.step);
      return [toFound(orgSlug, row, adapter)];
    });
  }

  function toFound(
    orgSlug: string,
    { name, created_at }: { name: string; created_at: string },
    adapter: AdapterRef,
  ): FoundModel {
    const id = toModelId({ baseModel: base.name, orgSlug, jobName: name, adapter });
    return { model: describeModel(id, created_at, orgSlug), target: { kind: 'adapter', adapter } };
  }

  async function find(scope: KeyScope, id: string): Promise<FoundModel> {
    if (id === base.name) return baseModel;
    const reference = readModelId(id);
    const found = reference && (await readAdapters(scope, { jobId: reference.jobId }));
    const same = found?.find(({ target }) => isSameAdapter(target, reference!));
    if (same) return same;
    throw await modelNotFound(scope, id);
  }

  /** Names a few, since most callers left in the name that a client's example has. */
  async function modelNotFound(scope: KeyScope, id: string): Promise<ApiError> {
    const adapters = await readAdapters(scope, { newest: NAMED_ADAPTERS });
    const names = [baseModel, ...adapters].map(({ model }) => `\`${model.id}\``);
    const listed = new Intl.ListFormat('en-GB').format(names);
    return new ApiError(
      'model_not_found',
      `The model \`${id.slice(0, 100)}\` does not exist in this project, which has ${listed}. \`GET /models\` lists all.`,
      { param: 'model' },
    );
  }

  return {
    list: async scope => [baseModel, ...(await readAdapters(scope))].map(({ model }) => model),
    find,
    require: async (scope, modelId) => find(scope, requireModel(modelId)),
  };
}

function requireModel(model: unknown): string {
  if (typeof model === 'string' && model !== '') return model;
  throw new ApiError('invalid_value', '`model`: expected the ID of a model. `GET /models` lists them.', {
    param: 'model',
  });
}

function isSameAdapter(target: Target, reference: AdapterRef): boolean {
  if (target.kind !== 'adapter' || target.adapter.kind !== reference.kind) return false;
  return reference.kind === 'final' || (target.adapter as { step?: number }).step === reference.step;
}

interface JudgeContext extends Omit<AnswerDeps, 'times'> {
  db: Db;
  deps: Pick<CloudDeps, 'baseModel'>;
  /** The models of this cloud. */
  models: () => ModelResolver;
}

/** Gives way to callers of endpoints. */
export function createJobJudge({ db, deps, models, ...answerDeps }: JudgeContext) {
  const known = createProjectModels({ db, deps });
  return (projectId: string, signal: AbortSignal): AskJudge => {
    async function serve(name: string): Promise<ModelCall> {
      const scope = await readScope(db, projectId);
      const { model, target } = await known.require(scope, name);
      const served = await models().resolve(scope.orgId, target);
      return { ...served, name: model.id, caller: projectId, isLowPriority: true, signal };
    }
    return createAskJudge(answerDeps, serve, { isPatient: true });
  };
}
