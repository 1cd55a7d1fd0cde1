// JSON from files that may be broken or hostile: objects only, no name twice, no nesting that no such file needs.
import { WeightsError } from './weights-error.js';

const deepestNesting = 32;

/** The object that these bytes say, or an error that names the file and what `part` of it is wrong. */
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
    throw new WeightsError(file, `${part} is not JSON that can be read: ${reason}`, { cause });
  }
  throw new WeightsError(file, `is in its ${part} twice`, { tensor: repeated });
}

/** The first name that an object has twice: JSON.parse would silently keep the last. */
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
  throw new SyntaxError('a string does not end');
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end + 1;
  while (' \t\n\r'.includes(text[at] ?? '.')) at++;
  return text[at] === ':';
}
