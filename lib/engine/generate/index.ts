// Entry point of generation: a generator for one model, and the adapters that its requests use.
export { type LoadedAdapter, loadAdapter } from './adapter.js';
export { promptTooLong } from './check-request.js';
export { createGenerator, type Generator, type GeneratorOptions, type GeneratorStatus } from './generator.js';
export type {
  FinishReason,
  GenerateRequest,
  LastPiece,
  Piece,
  TextDecoding,
  TextPiece,
  TokenLogprob,
  Usage,
  WrittenToken,
} from './request.js';
export type { BeginWork } from './run-limits.js';
