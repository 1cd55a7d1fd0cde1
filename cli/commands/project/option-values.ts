// Typed option values; invalid ones are usage errors.
import { findFault, type Schema } from '../../../lib/contract/index.js';
import type { Input } from '../../command.js';
import { createUsageError } from '../../command-error.js';

export function textOption({ values }: Pick<Input, 'values'>, name: string): string | undefined {
  return values[name] as string | undefined;
}

/** A whole number, 0 or more. */
export function countOption(input: Pick<Input, 'values'>, name: string, where: string): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw createUsageError(`option "--${name}" must be a whole number.`, where);
  return Number(text);
}

/** Rejects here what no cloud would accept. `names` maps the request's fields to their names on the command line. */
export function assertFits(
  schema: Schema,
  request: object,
  names: Readonly<Record<string, string>>,
  where: string,
): void {
  const fault = findFault(schema, request, 'The request');
  if (fault === null) return;
  throw createUsageError(
    fault.replace(
      /^`([^`]+)`/,
      (quoted, path: string) => names[path] ?? names[path.replace(/\[\d+\]$/, '')] ?? quoted,
    ),
    where,
  );
}
