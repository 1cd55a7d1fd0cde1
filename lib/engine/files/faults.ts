// Errors on their way from one process to another.
import { findDiskFault } from '../../system/index.js';
import { codeOf, DatasetError } from '../train/data/index.js';
import type { Fault } from './messages.js';

export function toFault(error: unknown): Fault {
  // Whatever it was wrapped in: not the file is to blame.
  const disk = findDiskFault(error);
  if (disk !== null) return { kind: 'other', name: 'Error', message: String(error), code: disk };
  if (error instanceof DatasetError) {
    const { file, reason, row } = error;
    return { kind: 'dataset', file, reason, row };
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'other', name, message, code: codeOf(error) };
}

export function fromFault(fault: Fault): Error {
  if (fault.kind === 'dataset') {
    const { file, reason, row } = fault;
    return new DatasetError(file, reason, row === undefined ? {} : { row });
  }
  const { name, message, code } = fault;
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) });
}
