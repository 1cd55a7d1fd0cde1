// Entry point of GGUF files: reads a model into a folder in Hugging Face's layout. Also llama.cpp's names and arrangement
// of weights, for files that are written.
export { convertGguf, GGUF_FORM } from './convert-model.js';
export { describeGguf } from './describe-gguf.js';
export { LLAMA_CPP_MODULES, pairRows } from './llama-cpp-layout.js';
