// A word to find again in what a template wrote: letters only, so that no template trims, splits or escapes it.

/** A word that is in none of the texts. */
export function unusedWord(texts: readonly string[]): string {
  for (let attempt = 0; ; attempt++) {
    const letters = attempt.toString(26).replace(/[0-9]/g, digit => 'qrstuvwxyz'[Number(digit)]!);
    const word = `hereistheword${letters}ofthisturn`;
    if (!texts.some(text => text.includes(word))) return word;
  }
}
