// Describes an unexpected failure in Studio, for debugging.
import type { LogLine } from '../../../lib/http/index.js';

export function describeFailure({ method, path, requestId, error }: LogLine, isLong: boolean): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return `! ${method} ${path} failed (request ${requestId}): ${isLong ? (stack ?? message) : message}`;
}
