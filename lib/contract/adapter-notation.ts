// Short notation for adapters: `final` and `checkpoint:<step>` refer to the current job, `JOB_ID:final` and
// `JOB_ID:checkpoint:<step>` to the job named.
import type { AdapterRef } from './deployment.js';

type OwnNotation = 'final' | `checkpoint:${number}`;

export type AdapterNotation = OwnNotation | `${string}:${OwnNotation}`;

interface ReadNotation {
  /** Null if the notation names no job. */
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
