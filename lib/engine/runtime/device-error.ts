/** A GPU is missing, was lost, ran out of memory or computes something wrong: the same work may succeed on the CPU. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
}
