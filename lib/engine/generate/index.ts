// Entry point of generation: a generator for one model, and the adapters that its requests use.
export { type LoadedAdapter, loadAdapter } from './adapter.js';
export { promptTooLong } from './check-request.js';
export { createGenerator, type Generator } from './generator.js';
export type {
  CallPiece,
  CompleteRequest,
  EchoedToken,
  EchoPiece,
  FinishReason,
  GenerateRequest,
  Piece,
  TokenLogprob,
  Usage,
} from './request.js';
export type { BeginWork } from './run-limits.js';
export { createWaitingRoom, type WaitingRoom } from './waiting-room.js';
