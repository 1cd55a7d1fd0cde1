// Names of files in messages: short, without paths, queries or control characters.

const longest = 120;

/** Keeps the end of a long name, since it shows the format. */
export function toShortName(name: string): string {
  const shown = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
  return shown.length > longest ? `…${shown.slice(-longest)}` : shown;
}

/** The last part of a path, shortened. */
export function toBaseName(path: string): string {
  const parts = path.split(/[\\/]/).filter(part => part !== '');
  return toShortName(parts.at(-1) ?? 'data');
}
