// What a base model has on disk, and what a run's trainer leaves there, for the engine and for the cloud that looks after it.
import { createHash } from 'node:crypto';

/** The files of a base model besides its weights, in Hugging Face's layout. */
export const REQUIRED_FILES: readonly string[] = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

/** The file in a run's folder with the number of the attempt that may save. */
export const OWNER_FILE = 'attempt';

/** The folder, in a run's, of the finished adapter. */
export const FINAL_FOLDER = 'final';

/** The file in a run's folder with the losses of its rows. */
export const ROW_LOSSES = 'row-losses.bin';

/** The file in a run's folder that says what ran, on which data and where. */
export const RUN_MANIFEST = 'run-manifest.json';

/** The file in a run's folder that is there while its process uses the GPU, and left behind if the process dies. */
export const GPU_MARK = 'on-gpu';

/** What a run writes in its folder besides checkpoints and adapters. Travels with them. */
export const RUN_RECORDS = [ROW_LOSSES, RUN_MANIFEST] as const;

const HUB_SNAPSHOT = /^hub-[\da-f]{16}\.json$/;

/** The file in a run's folder with the commit and the file list of a data set on the Hub. Never changes. */
export function hubSnapshotName(dataset: string): string {
  return `hub-${createHash('sha256').update(dataset).digest('hex').slice(0, 16)}.json`;
}

export function isHubSnapshot(name: string): boolean {
  return HUB_SNAPSHOT.test(name);
}

/** The subfolder of a run with the files that a remote worker trains with. */
export const REMOTE_FOLDER = 'remote';

/** Ends the name of a folder that is not complete yet. */
export const PARTIAL = '.partial';

export const ADAPTER_CONFIG = 'adapter_config.json';
export const ADAPTER_TENSORS = 'adapter_model.safetensors';

/** An adapter's files, in PEFT's layout, in the order in which they are digested. */
export const ADAPTER_FILES = [ADAPTER_CONFIG, ADAPTER_TENSORS] as const;

/** The files next to an adapter that its training goes on from. */
export const STATE = 'trainer_state.json';
export const OPTIMIZER = 'optimizer.safetensors';
export const DIGESTS = 'SHA256SUMS';
export const STATE_FILES = [STATE, OPTIMIZER, DIGESTS] as const;

const CHECKPOINT = /^checkpoint-(\d+)$/;
const WORK = /^((checkpoint-\d+|final|remote)(\.partial)?|on-gpu|\..*\.tmp)$/;

export function checkpointName(step: number): string {
  return `checkpoint-${step}`;
}

/** The step in a checkpoint's name; null for other names. */
export function checkpointStep(name: string): number | null {
  const step = CHECKPOINT.exec(name)?.[1];
  return step === undefined ? null : Number(step);
}

/** Whether an ended run no longer needs it: checkpoints, the final adapter, and unfinished files. */
export function isRunWork(name: string): boolean {
  return WORK.test(name);
}
