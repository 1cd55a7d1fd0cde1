// What a file is called in messages: no path, no query, no control characters, and not long.

const longest = 120;

/** The name as it may stand in a message. Its end stays, since that tells the format. */
export function toShortName(name: string): string {
  const shown = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
  return shown.length > longest ? `…${shown.slice(-longest)}` : shown;
}

/** The same of the last part of a path. */
export function toBaseName(path: string): string {
  const parts = path.split(/[\\/]/).filter(part => part !== '');
  return toShortName(parts.at(-1) ?? 'data');
}
