// Entry point of structured answers.
export type { JsonSchema } from './grammar/index.js';
export type { Call } from './phase.js';
export { type AnswerShape, createStructure, type Structure } from './structure.js';
export {
  createTokenTable,
  createTokenTableInSlices,
  type StructureText,
  type TokenTable,
} from './token-table.js';
