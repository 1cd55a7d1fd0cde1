// Errors on their way from one process to another.
import { findDiskFault } from '../../system/index.js';
import { TextError } from '../text/errors.js';
import { codeOf, DatasetError } from '../train/data/index.js';
import { WeightsError } from '../weights/index.js';
import type { SerializedError } from './messages.js';

export function serializeError(error: unknown): SerializedError {
  // A disk fault is not the file's fault, even if it is wrapped in an error about the file.
  const disk = findDiskFault(error);
  if (disk !== null) return { kind: 'other', name: 'Error', message: String(error), code: disk };
  if (error instanceof DatasetError) {
    const { file, reason, row } = error;
    return { kind: 'dataset', file, reason, row };
  }
  if (error instanceof WeightsError) {
    const { file, problem, tensor } = error;
    return { kind: 'weights', file, problem, tensor };
  }
  if (error instanceof TextError) return { kind: 'text', message: error.message };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'other', name, message, code: codeOf(error) };
}

export function deserializeError(error: SerializedError): Error {
  if (error.kind === 'dataset') {
    const { file, reason, row } = error;
    return new DatasetError(file, reason, row === undefined ? {} : { row });
  }
  if (error.kind === 'weights') {
    const { file, problem, tensor } = error;
    return new WeightsError(file, problem, tensor === undefined ? {} : { tensor });
  }
  if (error.kind === 'text') return new TextError(error.message);
  const { name, message, code } = error;
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) });
}
