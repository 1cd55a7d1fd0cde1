// What a target comes to: the name that answers carry, the adapter's folder, and a fingerprint of the weights.
import { createHash } from 'node:crypto';
import { type AdapterRef, ApiError, type Target } from '../../contract/index.js';
import type { FindAdapter, FoundAdapter } from '../artifacts/find-adapter.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';

export interface ServedModel {
  /** `model` of an answer. */
  name: string;
  /** Null for the base model as it is. */
  adapterFolder: string | null;
  /** `system_fingerprint` of an answer. */
  fingerprint: string;
}

export interface ServedModels {
  /** Throws `target_not_found` or `model_not_supported`. */
  resolve(orgId: string, target: Target, options?: ResolveOptions): Promise<ServedModel>;
}

export interface ResolveOptions {
  /** Where the request names a base model, if it does. */
  param?: string;
  /** The transaction of whoever stores the target, so that it stays there in between. */
  db?: Pick<Db, 'selectFrom'>;
}

export interface ServedModelsOptions {
  /** This cloud's. */
  baseModel: Pick<CloudDeps['baseModel'], 'name' | 'digest'>;
  findAdapter: FindAdapter;
}

export function createServedModels({ baseModel: base, findAdapter }: ServedModelsOptions): ServedModels {
  const baseModel = base.name;
  return {
    async resolve(orgId, target, { param, db } = {}) {
      if (target.kind === 'base_model') {
        if (target.baseModel !== baseModel) throw notSupported(target.baseModel, baseModel, param);
        return { name: baseModel, adapterFolder: null, fingerprint: fingerprintOf(baseModel, '') };
      }
      const { folder, sha256, jobId, trainedOn } = await findAdapter(orgId, target.adapter, db);
      requireSameBase(jobId, trainedOn, base);
      return {
        name: `${baseModel}:${nameAdapter(target.adapter)}`,
        adapterFolder: folder,
        fingerprint: fingerprintOf(baseModel, sha256),
      };
    },
  };
}

function notSupported(asked: string, baseModel: string, param: string | undefined): ApiError {
  return new ApiError(
    'model_not_supported',
    `This cloud serves the base model \`${baseModel}\`, and \`${asked}\` is another.`,
    { param: param ?? null },
  );
}

/** On another base model an adapter says nothing sensible, where it fits at all. */
function requireSameBase(
  jobId: string,
  { model, digest }: FoundAdapter['trainedOn'],
  base: ServedModelsOptions['baseModel'],
): void {
  if (model === base.name && !isOther(digest, base.digest)) return;
  const was = model === base.name ? 'other weights of that name' : `\`${model}\``;
  throw new ApiError(
    'model_not_supported',
    `This cloud serves the base model \`${base.name}\`, but job ${jobId} trained on ${was}: its adapters work on that \
alone. Train again on this one, or start the cloud with the other.`,
  );
}

/** Whether two digests of base models are known, and are not the same. */
export function isOther(one: string | null, other: string | undefined): boolean {
  return one !== null && other !== undefined && one !== other;
}

/** In the notation of the command line: `<job>:final`, `<job>:checkpoint:<step>`. */
function nameAdapter(ref: AdapterRef): string {
  return ref.kind === 'final' ? `${ref.jobId}:final` : `${ref.jobId}:checkpoint:${ref.step}`;
}

function fingerprintOf(baseModel: string, adapterSha256: string): string {
  const digest = createHash('sha256').update(`${baseModel}\n${adapterSha256}`).digest('hex');
  return `fp_${digest.slice(0, 16)}`;
}
