// How a job's samples are answered, for rooms that know nothing about engines.
import type { SampleGenerated, SampleInput } from '../../contract/index.js';
import type { StoredAdapter } from './backend.js';

export type SampleAnswer = Pick<SampleGenerated, 'answer' | 'finishReason' | 'error'>;

/** `later`: the engine cannot answer now. Never throws. Without an adapter, the base model answers. */
export type AnswerSample = (
  input: SampleInput,
  adapter: StoredAdapter | null,
  signal: AbortSignal,
) => Promise<SampleAnswer | 'later'>;
