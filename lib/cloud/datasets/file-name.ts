// The name under which a file was uploaded: a label for messages, which also tells the format. It never becomes a path.

const LONGEST = 255;

/** As the header has it, percent signs and all; `data` for none. The end stays, since that tells the format. */
export function readFileName(header: string | null): string {
  const parts = decode(header ?? '').split(/[\\/]/);
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
