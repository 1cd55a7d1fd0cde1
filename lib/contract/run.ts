// A run as a document: everything that determines its results, by name and digest. It holds no path, so that whoever
// runs it, on this machine or another, finds the files in its own way. Types only.
import type { RunResources } from './cluster.js';
import type { ColumnMap } from './columns.js';

export type RunSource = { columns?: ColumnMap | undefined } /** An upload, by its digest. */ & (
  | { type: 'file'; sha256: string; fileName: string }
  /** What a URL served, by its name among the cloud's downloads. */
  | { type: 'download'; name: string; fileName: string | null }
  | { type: 'huggingface'; name: string; split?: string | undefined; subset?: string | undefined }
);

interface RunOptions {
  /** Rows are learned as they are by default. */
  method?: { type: 'dpo'; beta: number; labelSmoothing: number; sftWeight: number } | undefined;
  rank: number;
  alpha: number;
  dropout: number;
  modules: readonly ('q_proj' | 'k_proj' | 'v_proj' | 'o_proj' | 'gate_proj' | 'up_proj' | 'down_proj')[];
  maxLength: number;
  /** Null for as many as the epochs take. */
  maxSteps: number | null;
  epochs: number;
  learningRate: number;
  batchSize: number;
  accumulation: number;
  schedule: 'linear' | 'cosine' | 'constant' | 'constant_with_warmup';
  warmupSteps: number;
  weightDecay: number;
  maxGradientNorm: number;
  loggingSteps: number;
  saveSteps: number | null;
  evalSteps: number | null;
  keepCheckpoints: number;
  seed: number;
}

export interface RunDocument {
  format: 1;
  jobId: string;
  attempt: number;
  /** Null: the runner chooses. */
  engine: 'node' | 'torch' | null;
  resources: RunResources;
  dryRun: boolean;
  /** The base model, and the digest that distinguishes models of the same name. */
  model: { name: string; sha256: string | null };
  data: {
    training: RunSource;
    evaluation: RunSource | null;
    evaluationFraction: number | null;
    trainOn: 'assistant' | 'all';
    tooLong: 'truncate' | 'skip' | 'error';
  };
  options: RunOptions;
}
