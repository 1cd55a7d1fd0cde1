// The name a file was uploaded under: a label for messages, whose ending tells the format. It never becomes a path.

const LONGEST = 255;

/** As in the header, with percent encoding. */
export function readFileName(header: string | null): string {
  return cleanFileName(decode(header ?? ''));
}

/** `data` if there is none. The ending is kept because it tells the format. */
export function cleanFileName(given: string): string {
  const parts = given.split(/[\\/]/);
  const name = parts.findLast(part => part.trim() !== '') ?? '';
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '').trim();
  return Array.from(clean).slice(-LONGEST).join('') || 'data';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
