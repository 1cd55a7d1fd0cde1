// Parses JSON from files that may be broken or malicious: only objects, without repeated names or deep nesting.
import { WeightsError } from './weights-error.js';

const deepestNesting = 32;

/** Parses an object. Throws an error that names the file and the `part` of it that is wrong. */
export function parseJsonObject(bytes: Uint8Array, file: string, part: string): Record<string, unknown> {
  const text = decode(bytes, file, part);
  const value = parse(text, file, part);
  if (!isObject(value)) throw new WeightsError(file, `${part} is not a JSON object`);
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decode(bytes: Uint8Array, file: string, part: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new WeightsError(file, `${part} is not UTF-8 text`, { cause });
  }
}

function parse(text: string, file: string, part: string): unknown {
  let repeated: string | undefined;
  try {
    repeated = findRepeatedName(text);
    if (repeated === undefined) return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message.slice(0, 200) : String(cause);
    throw new WeightsError(file, `${part} is not valid JSON: ${reason}`, { cause });
  }
  throw new WeightsError(file, `appears in its ${part} twice`, { tensor: repeated });
}

/** Finds the first repeated name of an object. JSON.parse would silently keep the last value. */
function findRepeatedName(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      if (open.push(new Set()) > deepestNesting) throw new SyntaxError('it is nested too deeply');
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      const end = findEndOfString(text, at);
      const names = open.at(-1);
      if (names && isFollowedByColon(text, end)) {
        const name: string = JSON.parse(text.slice(at, end + 1));
        if (names.has(name)) return name;
        names.add(name);
      }
      at = end;
    }
  }
  return undefined;
}

function findEndOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  throw new SyntaxError('a string is not terminated');
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end + 1;
  while (' \t\n\r'.includes(text[at] ?? '.')) at++;
  return text[at] === ':';
}
