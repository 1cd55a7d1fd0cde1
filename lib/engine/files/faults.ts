// Errors on their way from one process to another.
import { codeOf, DatasetError } from '../train/data/index.js';
import type { Fault } from './messages.js';

export function toFault(error: unknown): Fault {
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
