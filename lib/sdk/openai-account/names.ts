// Names that an account chose, as parts of paths, names of jobs and comments. They may hold anything: paths, line breaks,
// escape codes, code.
import { createHash } from 'node:crypto';

const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

/** Another cloud of svc names rows by their source, such as `upload:ID`, if they are no file of its API. */
export const isFileId = (id: string) => !id.includes(':');

/** An ID as the name of a file. Odd ones are told apart by a digest. */
export function toFileName(id: string): string {
  if (SAFE_ID.test(id)) return id;
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 8);
  return `${toWords(id, 40) || 'id'}-${digest}`;
}

/** `file-abc-train.jsonl`: known by its ID, readable by its name, with the ending that its kind needs. */
export function toDataName(id: string, filename: string | null, ending: '.jsonl' | '.csv'): string {
  const base = filename?.split(/[/\\]/).at(-1) ?? '';
  const words = toWords(base.replace(/\.(jsonl|csv)$/i, ''), 60);
  return `${toFileName(id)}${words && `-${words}`}${ending}`;
}

/** For people, on one line: at most 100 characters, as the name of a job may have. */
export function toLabel(text: string): string {
  const plain = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return Array.from(plain).slice(0, 100).join('').trim();
}

/** Letters, digits and hyphens, in lower case. */
export function toWords(text: string, longest: number): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '');
}
