// How many words two texts share, ignoring case, punctuation and order.

/** F1: the harmonic mean of recall (expected words that are there) and precision (words there that were expected). */
export function scoreWords(expected: string, answered: string): number {
  const right = toWords(expected);
  const given = toWords(answered);
  const left = [...right];
  const common = given.filter(word => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
  return right.length + given.length === 0 ? 1 : (2 * common) / (right.length + given.length);
}

function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\d-]+/u)
    .filter(word => /[\p{L}\d]/u.test(word));
}
