// Whether a text hides what it must and keeps the rest, with any tags.
import { TAGS } from './tags.js';

/** The share of hidden values times the share of other words kept: 0 for an echo and for silence. */
export function scoreRedaction(asked: string, expected: string, answered: string): number {
  const present = new Set(toWords(answered));
  const kept = toWords(splitAtTags(expected).join(' '));
  const hidden = findHidden(asked, expected).map(value =>
    toWords(value).filter(word => !kept.includes(word)),
  );
  const gone = hidden.filter(words => !words.some(word => present.has(word)));
  return share(gone.length, hidden.length) * share(countKept(kept, answered), kept.length);
}

const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);

/** The text in the question where the answer has a tag. */
function findHidden(asked: string, expected: string): string[] {
  const literals = splitAtTags(expected).map(text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('(.+?)')}$`).exec(asked)?.slice(1) ?? [];
}

function splitAtTags(text: string): string[] {
  return Object.values(TAGS).reduce((pieces, tag) => pieces.flatMap(piece => piece.split(tag)), [text]);
}

/** Each word of the answer matches at most one word to keep. */
function countKept(kept: readonly string[], answered: string): number {
  const left = toWords(answered);
  return kept.filter(word => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
}

/** In lower case, without punctuation around them. */
function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map(word => word.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, ''))
    .filter(word => word !== '');
}
