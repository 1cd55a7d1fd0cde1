// A job's run: the document that defines it, and the manifest of its dependencies.
import * as z from 'zod/mini';
import type { RunResources } from '../cluster.js';
import { orNull, step, uuid } from '../text.js';
import { artifact, type ColumnMap, jobConfig, jobStatus } from './job.js';
import type { RunOptions } from './training-options.js';

export type RunSource = { columns?: ColumnMap | undefined } /** An upload, by its digest. */ & (
  | { type: 'file'; sha256: string; fileName: string }
  /** A URL's download, by its name among the cloud's downloads. */
  | { type: 'download'; name: string; fileName: string | null }
  | { type: 'huggingface'; name: string; split?: string | undefined; subset?: string | undefined }
);

/** Smaller than PyTorch's own. */
export type TorchWeights = 'int8' | 'nf4';

/**
 * Everything that determines a run's results, by name and digest. Contains no paths, so that each runner, on this machine or
 * another, finds the files in its own way.
 */
export interface RunDocument {
  format: 1;
  jobId: string;
  attempt: number;
  /** Null: the runner decides. */
  engine: 'node' | 'torch' | null;
  resources: RunResources;
  dryRun: boolean;
  /** The precision of the base model's weights in PyTorch. Default: the device's. */
  weights?: TorchWeights | undefined;
  /** The base model's name, and the digest that distinguishes models of the same name. */
  model: { name: string; sha256: string | null };
  data: {
    training: RunSource;
    evaluation: RunSource | null;
    evaluationFraction: number | null;
    trainOn: 'assistant' | 'all';
    /** Default: as the chat template has it. */
    enableThinking?: boolean | undefined;
    tooLong: 'truncate' | 'skip' | 'error';
    /** Rows of earlier runs, without those that they held out, as a share of all that are trained on. */
    replay?:
      | { share: number; sources: { source: RunSource; evaluationFraction: number | null }[] }
      | undefined;
  };
  options: RunOptions;
  /** The adapter that the run continues from; without one, it starts a new one. */
  from?: { adapter: AdapterPlace; sha256: string; keepsOptimizer: boolean } | undefined;
}

interface AdapterPlace {
  kind: 'final' | 'checkpoint';
  jobId: string;
  step: number;
}

const digest = z.string();
const dataSet = z.object({ digest, rows: step });

const environment = z.object({
  /** Attempts from this step on ran there. */
  fromStep: step,
  /** The digest covers all training code. */
  svc: z.object({ version: z.string(), digest }),
  node: z.string(),
  onnxruntime: z.string(),
  machine: z.object({
    platform: z.string(),
    arch: z.string(),
    cpu: z.string(),
    /** Instruction sets, where the system lists them. */
    features: z.array(z.string()),
    cores: step,
    /** Null for the runtime's default. */
    threads: orNull(step),
    provider: z.string(),
    /** The GPU's name, if it was used and the machine says it. */
    gpu: z.optional(z.string()),
  }),
});

export type RunEnvironment = z.output<typeof environment>;

/** Written when the run starts. */
export const runRecord = z.object({
  /** The digest covers every byte of the rows. */
  data: z.object({
    training: dataSet,
    evaluation: orNull(dataSet),
    /** Rows of earlier runs: how many of each data set. Missing if there are none. */
    replayed: z.optional(z.array(dataSet)),
  }),
  /** The precision of the base model's weights. */
  weights: z.string(),
  options: z.record(z.string(), z.unknown()),
  /** One entry, unless the run was resumed on other software or another machine. */
  environments: z.array(environment),
});

export type RunRecord = z.output<typeof runRecord>;

/** What a job's run depended on, so that it can be repeated: options, data, model, software and machine. */
export const runManifest = z.object({
  jobId: uuid,
  status: jobStatus,
  model: z.object({ name: z.string(), digest: orNull(digest) }),
  config: jobConfig,
  /** Null for adapters that were trained elsewhere. */
  seed: orNull(z.number()),
  /** Null until the run has started, and for adapters that were trained elsewhere. */
  run: orNull(runRecord),
  /** The run's final adapter. */
  adapter: orNull(artifact),
});

export type RunManifest = z.output<typeof runManifest>;
