// The IDs under which OpenAI's clients know a project's models: the base model's name, and for adapters
// `ft:<base>:<organization>:<job's name>:<job>`, with `:ckpt-step-<step>` for a checkpoint.

import { toAdapterRef } from './adapter-notation.js';
import type { AdapterRef } from './deployment.js';

interface NamedAdapter {
  baseModel: string;
  orgSlug: string;
  jobName: string;
  adapter: AdapterRef;
}

const FINE_TUNED =
  /^ft:.+:[^:]*:[^:]*:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?::ckpt-step-(\d{1,15}))?$/;

export function toModelId({ baseModel, orgSlug, jobName, adapter }: NamedAdapter): string {
  const id = `ft:${baseModel}:${orgSlug}:${toSuffix(jobName)}:${adapter.jobId}`;
  return adapter.kind === 'final' ? id : `${id}:ckpt-step-${adapter.step}`;
}

/** The adapter that an ID names, by its job and step; the other parts are for people. Null for other IDs. */
export function readModelId(id: string): AdapterRef | null {
  const match = FINE_TUNED.exec(id);
  if (!match) return null;
  const [, jobId, step] = match;
  return toAdapterRef(jobId!, step === undefined ? null : Number(step));
}

const LONGEST_SUFFIX = 64;

function toSuffix(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, LONGEST_SUFFIX).replace(/^-|-$/g, '');
}
