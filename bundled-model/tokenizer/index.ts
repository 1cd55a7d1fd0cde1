// The door of the tokenizer's recipe: learns a vocabulary from texts and writes it as a model folder has it.

export { createEncoder, tokensPerWord } from './encode.js';
export { endOfText, turnEnd, turnStart } from './special-tokens.js';
export { type FileOptions, type TokenizerFiles, toTokenizerFiles } from './tokenizer-files.js';
export { type BpeModel, type TrainOptions, trainBpe } from './train-bpe.js';
