// What the engine's process and its parent say to each other. Types, and the one error that crosses over.
import type { GenerateRequest, Piece } from '../generate/index.js';
import type { TrainOptions, TrainRequest } from '../train/index.js';

/** How a base model's weights are held: as they are, or rounded to 8 bits. */
export type WeightPrecision = TrainOptions['weights'];

export interface TrainTask {
  jobId: string;
  request: Omit<TrainRequest, 'signal' | 'pause' | 'onHeldUp'>;
  /** One step only, to see that everything fits. */
  dryRun?: boolean;
}

/**
 * `paused`: it ended before its end, with a checkpoint to go on from. `interrupted`: the disk failed it, and it can be
 * tried again.
 */
export type FinalStatus = 'completed' | 'failed' | 'cancelled' | 'paused' | 'interrupted';

/** Events are those of the contract; the parent knows their shapes. */
export interface EngineEvent {
  type: string;
  jobId: string;
  timestamp: string;
  [field: string]: unknown;
}

export interface ServeTask {
  /** The base model's folder, in Hugging Face's layout. */
  modelFolder: string;
  threads?: number;
  /** `webgpu` where it is asked for and there. */
  provider?: 'cpu' | 'webgpu';
  /** `f32` unless given. */
  weights?: WeightPrecision;
  /** How many requests are computed at once, and how many more may wait. */
  maxBatch?: number;
  queueLimit?: number;
  /** What the keys and values of texts in progress may take, in bytes; a part of the machine's memory unless given. */
  cacheBudget?: number;
  /** A prompt that takes longer than this to write is refused. */
  promptLimitMs?: number;
  /** No run of the model counts as hung before this; 20 s unless given. */
  runLimitMs?: number;
}

export interface ServedModel {
  /** The longest text in tokens, prompt and answer together. */
  context: number;
}

export interface Message {
  role: string;
  [field: string]: unknown;
}

/** A turn of a conversation to be generated, by the base model or by the adapter of a folder. */
export interface ChatTask extends Omit<GenerateRequest, 'promptIds' | 'adapter'> {
  messages: readonly Message[];
  tools?: readonly unknown[];
  adapterFolder: string | null;
}

export type ToWorker =
  | { type: 'train'; task: TrainTask }
  | { type: 'cancel' }
  | { type: 'pause' }
  /** So many of its events were taken: as many more may come. */
  | { type: 'taken'; count: number }
  | { type: 'serve'; task: ServeTask }
  | { type: 'chat'; id: number; task: ChatTask }
  | { type: 'abort'; id: number }
  | { type: 'unload' };

export type FromWorker =
  | { type: 'event'; event: EngineEvent }
  | { type: 'done'; status: FinalStatus; diskFault?: string }
  /** A save waits because of this fault of the disk's; null once it is done. */
  | { type: 'held-up'; diskFault: string | null }
  | { type: 'serving'; model: ServedModel }
  | { type: 'piece'; id: number; piece: Piece }
  | { type: 'ended'; id: number }
  | { type: 'failed'; id: number | null; code: string; message: string };

/** What the engine refused or could not do. The code is one of the wire's. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
