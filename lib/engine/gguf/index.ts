// Entry point of GGUF files: reads a model into a folder in Hugging Face's layout. Also llama.cpp's names and arrangement
// of weights, for files that are written.

export { arrangementOf, changeOf } from './arrangement.js';
export { convertGguf, GGUF_FORM } from './convert-model.js';
export { describeGguf, nameLicense } from './describe-gguf.js';
export { KEPT_METADATA, readKeptMetadata } from './kept-metadata.js';
export { toLlamaCppNames, toLlamaCppShape } from './llama-cpp-layout.js';
export { type WrittenFormat, writtenFormat } from './number-formats.js';
export { LONG_ROPE_FACTORS, ROPE_FACTORS, SHORT_ROPE_FACTORS } from './to-config.js';
export { findSplitName, findWordSplit } from './word-patterns.js';
export {
  f32Tensor,
  ggufHeader,
  isSameValue,
  type Metadata,
  type MetadataValue,
  padData,
  paddingAfter,
  type TensorToWrite,
} from './write-header.js';
