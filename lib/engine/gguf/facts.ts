// A GGUF file's metadata by type. A value of another type than expected is an error that names its key.
import { quote, WeightsError } from '../weights/index.js';
import type { GgufHeader } from './read-header.js';

/** Undefined where the file does not have the key. */
export interface Facts {
  text(key: string): string | undefined;
  number(key: string): number | undefined;
  flag(key: string): boolean | undefined;
  texts(key: string): readonly string[] | undefined;
  numbers(key: string): readonly number[] | undefined;
}

export function readFacts({ file, metadata }: GgufHeader): Facts {
  const read =
    <T>(kind: string, isKind: (value: unknown) => value is T) =>
    (key: string): T | undefined => {
      const value = metadata.get(key);
      if (value === undefined || isKind(value)) return value;
      const found = Array.isArray(value) ? `${value.length} values` : quote(value);
      throw new WeightsError(file, `is damaged: its key ${quote(key)} must be ${kind}, not ${found}`);
    };
  return {
    text: read('a text', value => typeof value === 'string'),
    number: read('a number', value => typeof value === 'number'),
    flag: read('true or false', value => typeof value === 'boolean'),
    texts: read('a list of texts', value => isListOf<string>(value, 'string')),
    numbers: read('a list of numbers', value => isListOf<number>(value, 'number')),
  };
}

function isListOf<T>(value: unknown, type: 'string' | 'number'): value is readonly T[] {
  return Array.isArray(value) && value.every(item => typeof item === type);
}
