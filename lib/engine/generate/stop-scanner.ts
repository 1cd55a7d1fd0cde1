// Finds stop texts in text that comes in pieces, wherever it is cut: what may still become one is held back.

export interface Scan {
  /** What is certain to lie before any stop text. */
  text: string;
  stopped: boolean;
}

export interface StopScanner {
  push(text: string): Scan;
  /** What was held back, when nothing follows. */
  flush(): string;
}

export function createStopScanner(stops: readonly string[]): StopScanner {
  const wanted = stops.filter(stop => stop !== '');
  let held = '';
  return {
    push(text) {
      const all = held + text;
      const found = findFirst(all, wanted);
      if (found >= 0) {
        held = '';
        return { text: all.slice(0, found), stopped: true };
      }
      const kept = Math.max(0, ...wanted.map(stop => overlap(all, stop)));
      held = all.slice(all.length - kept);
      return { text: all.slice(0, all.length - kept), stopped: false };
    },
    flush() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** Where the stop text that is complete first begins: so it does not matter how the text was cut. */
function findFirst(text: string, stops: readonly string[]): number {
  const ends = stops
    .map(stop => ({ at: text.indexOf(stop), length: stop.length }))
    .filter(({ at }) => at >= 0);
  ends.sort((a, b) => a.at + a.length - (b.at + b.length) || a.at - b.at);
  return ends[0]?.at ?? -1;
}

/** How many characters at the end of the text are the beginning of this stop text. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(stop.length - 1, text.length); length > 0; length--)
    if (text.endsWith(stop.slice(0, length))) return length;
  return 0;
}
