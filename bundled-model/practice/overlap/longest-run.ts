// The longest run of words that two bodies of text share. One is small, the other is streamed.

interface RunFinder {
  /** The longest so far. */
  readonly longest: readonly string[];
  read(words: readonly string[]): void;
}

export function createRunFinder(texts: readonly (readonly string[])[]): RunFinder {
  const runsOf = new Map<number, Set<string>>();
  const isKnown = (words: readonly string[]) => {
    const runs = runsOf.get(words.length) ?? collectRuns(texts, words.length);
    runsOf.set(words.length, runs);
    return runs.has(words.join(' '));
  };
  let longest: readonly string[] = [];
  return {
    get longest() {
      return longest;
    },
    read(words) {
      for (let start = 0; start + longest.length < words.length; ) {
        const run = words.slice(start, start + longest.length + 1);
        if (isKnown(run)) longest = run;
        else start++;
      }
    },
  };
}

function collectRuns(texts: readonly (readonly string[])[], length: number): Set<string> {
  const runs = texts.flatMap(words =>
    Array.from({ length: Math.max(0, words.length - length + 1) }, (_, start) =>
      words.slice(start, start + length).join(' '),
    ),
  );
  return new Set(runs);
}
