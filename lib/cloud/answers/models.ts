// Resolves a target to a model that can serve it: the name in answers, the adapter's digest, and the weights' fingerprint.
import { createHash } from 'node:crypto';
import {
  type AdapterRef,
  type AnthropicModel,
  type AnthropicPageQuery,
  ApiError,
  isSameModel,
  type Model,
  type Target,
  type TemplateVariables,
} from '../../contract/index.js';
import { EngineError } from '../../engine/index.js';
import { adapterDamaged, type FindAdapter, type FoundAdapter } from '../artifacts/find-adapter.js';
import type { CloudDeps } from '../deps.js';
import { toSeconds } from '../openai-values.js';
import type { StoredAdapter } from '../seams/backend.js';
import type { Db } from '../store/db.js';
import { unknownCursor } from './lists.js';

export interface ResolvedModel {
  /** `model` in answers. */
  name: string;
  /** The digest of an adapter that the backend has loaded; null for the base model itself. */
  adapter: string | null;
  /** Of the chat template, for requests that do not set them. */
  variables?: TemplateVariables | undefined;
  /** `system_fingerprint` in answers. */
  fingerprint: string;
  /** Records that the engine could not read the adapter's files. */
  noteDamage?(): Promise<void>;
}

export interface ModelResolver {
  /** Throws `target_not_found`, `model_not_supported` or `adapter_damaged`. */
  resolve(orgId: string, target: Target, options?: ResolveOptions): Promise<ResolvedModel>;
  /** Why a target cannot be served, in a sentence; null if no problem is known. */
  findProblem(orgId: string, target: Target): Promise<string | null>;
}

interface ResolveOptions {
  /** The request field that names the base model, if any. */
  param?: string;
  /** The transaction that stores the target, so that the target cannot be deleted meanwhile. */
  db?: Pick<Db, 'selectFrom'>;
}

interface ModelResolverOptions {
  /** The base model of this cloud. */
  baseModel: Pick<CloudDeps['baseModel'], 'name' | 'digest'>;
  findAdapter: FindAdapter;
  /** Loads an adapter so that it can serve requests. */
  load(adapter: StoredAdapter): Promise<void>;
}

export function createModelResolver({
  baseModel: base,
  findAdapter,
  load,
}: ModelResolverOptions): ModelResolver {
  const baseModel = base.name;

  async function resolveAdapter(orgId: string, ref: AdapterRef, db?: ResolveOptions['db']) {
    const found = await findAdapter(orgId, ref, db);
    requireSameBase(found.jobId, found.trainedOn, base);
    if (found.damage === 'seen') throw adapterDamaged();
    const { sha256, variables, noteDamage, damage } = found;
    const name = `${baseModel}:${nameAdapter(ref)}`;
    const fingerprint = fingerprintOf(baseModel, sha256);
    const served = { name, adapter: sha256, variables, fingerprint, noteDamage };
    return { served, damage, found };
  }

  async function ready({ folder, sha256, verify }: FoundAdapter): Promise<void> {
    if (!(await verify())) throw adapterDamaged();
    try {
      await load({ sha256, folder });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw new ApiError('engine_unavailable', error.message, { headers: { 'retry-after': '5' } });
    }
  }

  return {
    async resolve(orgId, target, { param, db } = {}) {
      if (target.kind === 'adapter') {
        const { served, found } = await resolveAdapter(orgId, target.adapter, db);
        // Not inside a transaction, where all other writers would wait: the first call reads the files.
        if (!db) await ready(found);
        return served;
      }
      if (target.baseModel !== baseModel) throw notSupported(target.baseModel, baseModel, param);
      return { name: baseModel, adapter: null, fingerprint: fingerprintOf(baseModel, '') };
    },
    async findProblem(orgId, target) {
      if (target.kind === 'base_model') {
        return target.baseModel === baseModel ? null : notSupported(target.baseModel, baseModel).message;
      }
      try {
        const { damage } = await resolveAdapter(orgId, target.adapter);
        return damage ? adapterDamaged().message : null;
      } catch (error) {
        if (error instanceof ApiError) return error.message;
        throw error;
      }
    },
  };
}

/** A model as OpenAI's clients see it. Has no time if its creation date is unknown. */
export function describeModel(id: string, createdAt: string | null, owner: string): Model {
  const created = createdAt === null ? 0 : toSeconds(createdAt);
  return { id, object: 'model', created, owned_by: owner };
}

/** The same for Anthropic's clients, whose types have fields for what is not known here. */
export function toAnthropicModel({ id, created }: Model): AnthropicModel {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(created * 1000).toISOString(),
    lifecycle: 'active',
    line: null,
    capabilities: null,
    max_input_tokens: null,
    max_tokens: null,
    deprecated_at: null,
    retires_at: null,
  };
}

/** All of them in one page, unless fewer are asked for. */
export function toAnthropicModels(models: readonly Model[], query: AnthropicPageQuery) {
  const { limit = models.length, after_id: after, before_id: before } = query;
  const placeOf = (id: string, param: string) => {
    const place = models.findIndex(model => model.id === id);
    if (place === -1) throw unknownCursor(id, param);
    return place;
  };
  const start = after === undefined ? 0 : placeOf(after, 'after_id') + 1;
  const end = before === undefined ? models.length : placeOf(before, 'before_id');
  const between = models.slice(start, end);
  // Before an ID come those right before it.
  const isBackward = before !== undefined && after === undefined;
  const page = isBackward ? between.slice(Math.max(0, between.length - limit)) : between.slice(0, limit);
  const [first_id, last_id] = [page[0]?.id ?? null, page.at(-1)?.id ?? null];
  return { data: page.map(toAnthropicModel), first_id, last_id, has_more: page.length < between.length };
}

function notSupported(requested: string, baseModel: string, param?: string): ApiError {
  return new ApiError(
    'model_not_supported',
    `This cloud serves the base model \`${baseModel}\`, not \`${requested}\`.`,
    { param: param ?? null },
  );
}

/** On another base model, an adapter's output is meaningless even if its shape fits. */
function requireSameBase(
  jobId: string,
  { model, digest }: FoundAdapter['trainedOn'],
  base: ModelResolverOptions['baseModel'],
): void {
  if (isSameModel({ name: model, digest }, base)) return;
  const was = model === base.name ? 'different weights with that name' : `\`${model}\``;
  throw new ApiError(
    'model_not_supported',
    `This cloud serves the base model \`${base.name}\`, but job ${jobId} trained on ${was}: its adapters work on that \
alone. Train again on this one, or start the cloud with the other.`,
  );
}

/** In command-line notation: `<job>:final`, `<job>:checkpoint:<step>`. */
function nameAdapter(ref: AdapterRef): string {
  return ref.kind === 'final' ? `${ref.jobId}:final` : `${ref.jobId}:checkpoint:${ref.step}`;
}

function fingerprintOf(baseModel: string, adapterSha256: string): string {
  const digest = createHash('sha256').update(`${baseModel}\n${adapterSha256}`).digest('hex');
  return `fp_${digest.slice(0, 16)}`;
}
