// Options of the commands as values of their types, refused in plain words.
import { findFault, type Schema } from '../../../lib/contract/index.js';
import type { Input } from '../../command.js';
import { createUsageError } from '../../command-error.js';

export function textOption({ values }: Pick<Input, 'values'>, name: string): string | undefined {
  return values[name] as string | undefined;
}

/** A whole number that is not negative. */
export function countOption(input: Pick<Input, 'values'>, name: string, where: string): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw createUsageError(`option "--${name}" takes a whole number.`, where);
  return Number(text);
}

/** Refuses here what no cloud would take. `names` says what the fields of the request are called on the command line. */
export function assertFits(
  schema: Schema,
  request: object,
  names: Readonly<Record<string, string>>,
  where: string,
): void {
  const fault = findFault(schema, request, 'The request');
  if (fault === null) return;
  throw createUsageError(
    fault.replace(/^`([^`]+)`/, (quoted, path: string) => names[path] ?? quoted),
    where,
  );
}
