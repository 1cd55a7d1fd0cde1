// How adapters are named in text: in our own notation, and as model IDs for OpenAI's clients.
import type { AdapterRef, Target } from './deployment.js';
import type { JobConfig, StartingAdapter } from './job/job.js';

type OwnNotation = 'final' | `checkpoint:${number}`;

/**
 * `final` and `checkpoint:<step>` refer to the current job, `JOB_ID:final` and `JOB_ID:checkpoint:<step>` to the one
 * given.
 */
export type AdapterNotation = OwnNotation | `${string}:${OwnNotation}`;

interface ReadNotation {
  /** Null if the text names no job. */
  jobId: string | null;
  /** Null for the final adapter. */
  step: number | null;
}

const NOTATION = /^(?:([^:]+):)?(?:final|checkpoint:(\d{1,15}))$/;

export function adapterNotation(adapter: AdapterRef): AdapterNotation {
  const { kind, jobId } = adapter;
  return kind === 'final' ? `${jobId}:final` : `${jobId}:checkpoint:${adapter.step}`;
}

/** Null if the text is not in this notation. The job ID is not validated. */
export function readAdapterNotation(text: string): ReadNotation | null {
  const match = NOTATION.exec(text);
  if (!match) return null;
  const [, jobId = null, step] = match;
  return { jobId, step: step === undefined ? null : Number(step) };
}

export function toAdapterRef(jobId: string, step: number | null): AdapterRef {
  return step === null ? { kind: 'final', jobId } : { kind: 'checkpoint', jobId, step };
}

/** The adapter that a job goes on from, by its config; null for a new one. */
export function startOf(config: JobConfig | null | undefined): StartingAdapter | null {
  const from = config?.from as Partial<StartingAdapter> | null | undefined;
  return typeof from?.jobId === 'string' ? (from as StartingAdapter) : null;
}

/** How a request for inference names what a deployment or an evaluation serves. */
export function modelFields(target: Target): { adapter: AdapterRef } | { baseModel: string } {
  return target.kind === 'adapter' ? { adapter: target.adapter } : { baseModel: target.baseModel };
}

interface NamedAdapter {
  baseModel: string;
  orgSlug: string;
  jobName: string;
  adapter: AdapterRef;
}

const FINE_TUNED =
  /^ft:.+:[^:]*:[^:]*:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?::ckpt-step-(\d{1,15}))?$/;

/** `ft:<base>:<organization>:<job's name>:<job>`, with `:ckpt-step-<step>` for a checkpoint. */
export function toModelId({ baseModel, orgSlug, jobName, adapter }: NamedAdapter): string {
  const id = `ft:${baseModel}:${orgSlug}:${toSuffix(jobName)}:${adapter.jobId}`;
  return adapter.kind === 'final' ? id : `${id}:ckpt-step-${adapter.step}`;
}

/** The job and step in an adapter's model ID; the other parts are for people. Null for other IDs. */
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
