// Options of the commands as values of their types, refused in plain words.
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
