// ONNX Runtime and V8 say only in words that memory ran out.

const WORDS = /bad_alloc|failed to allocate memory|array buffer allocation failed|out of memory/i;

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && WORDS.test(error.message);
}
