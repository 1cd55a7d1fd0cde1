// What changed between two texts, word by word.

export interface WordRun {
  readonly text: string;
  /** Not in the earlier text. */
  readonly isNew: boolean;
}

/** Beyond this many comparisons, everything counts as new. */
const MOST_CELLS = 1_000_000;

/** The later text in runs, spaces included: joined, they are the text itself. */
export function wordChanges(before: string, after: string): WordRun[] {
  const [old, now] = [toWords(before), toWords(after)];
  if (old.length * now.length > MOST_CELLS) return [{ text: after, isNew: before !== after }];
  return toRuns(now, commonWords(old, now));
}

/** Words, runs of spaces and signs. */
function toWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** The places in `now` of a longest common subsequence. */
function commonWords(old: readonly string[], now: readonly string[]): Set<number> {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === now[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const common = new Set<number>();
  for (let i = 0, j = 0; i < old.length && j < now.length; ) {
    if (old[i] === now[j]) {
      common.add(j++);
      i++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return common;
}

function toRuns(words: readonly string[], common: ReadonlySet<number>): WordRun[] {
  const runs: { text: string; isNew: boolean }[] = [];
  words.forEach((word, i) => {
    const isNew = !common.has(i);
    const last = runs.at(-1);
    if (last?.isNew === isNew) last.text += word;
    else runs.push({ text: word, isNew });
  });
  return runs;
}
