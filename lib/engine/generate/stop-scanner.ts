// Finds stop sequences in streamed text, wherever it is cut. Text that may still become one is held back.

interface Scan {
  /** Text that cannot be part of a stop sequence. */
  text: string;
  stopped: boolean;
  /** The stop sequence that was found, and what follows it. */
  stop?: string;
  rest?: string;
}

interface StopScanner {
  push(text: string): Scan;
  /** The text held back, when nothing follows. */
  flush(): string;
}

export function createStopScanner(stops: readonly string[]): StopScanner {
  const wanted = stops.filter(stop => stop !== '');
  let held = '';
  return {
    push(text) {
      const all = held + text;
      const found = findFirst(all, wanted);
      if (found) {
        held = '';
        const { at, stop } = found;
        return { text: all.slice(0, at), stopped: true, stop, rest: all.slice(at + stop.length) };
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

/** The stop sequence that is complete first, so that the result does not depend on the cuts. */
function findFirst(text: string, stops: readonly string[]): { at: number; stop: string } | undefined {
  const ends = stops.map(stop => ({ at: text.indexOf(stop), stop })).filter(({ at }) => at >= 0);
  ends.sort((a, b) => a.at + a.stop.length - (b.at + b.stop.length) || a.at - b.at);
  return ends[0];
}

/** The number of characters at the end of the text that may be the start of this stop sequence. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(stop.length - 1, text.length); length > 0; length--)
    if (text.endsWith(stop.slice(0, length))) return length;
  return 0;
}
