// Learns a vocabulary from texts and turns it into the files of a model folder.

export { createEncoder, tokensPerWord } from './encode.js';
export { endOfText, turnEnd, turnStart } from './special-tokens.js';
export { toTokenizerFiles } from './tokenizer-files.js';
export { type BpeModel, trainBpe } from './train-bpe.js';
