// Signals to this process, each told once. npm passes on to its child what a terminal sends to both, so one Ctrl-C may
// come twice, within a millisecond or two.
import { type Clock, realClock, type Timer } from '../clock/index.js';

const REPEAT_MS = 500;

interface Source {
  on(signal: NodeJS.Signals, react: () => void): unknown;
  off(signal: NodeJS.Signals, react: () => void): unknown;
}

/** Calls back on a signal, which then no longer ends the process. Returns a function that undoes this. */
type OnSignal = (signal: NodeJS.Signals, react: () => void) => () => void;

export function createSignals(source: Source, clock: Clock = realClock): OnSignal {
  const heard = new Map<NodeJS.Signals, ReturnType<typeof hear>>();

  function hear(signal: NodeJS.Signals) {
    const reactions = new Set<() => void>();
    let told = Number.NEGATIVE_INFINITY;
    let leaving: Timer | undefined;
    let isListening = false;

    function tell(): void {
      if (clock.elapsed() - told < REPEAT_MS) return;
      told = clock.elapsed();
      for (const react of [...reactions]) react();
    }

    /** From then on, the signal ends the process. */
    function leave(): void {
      source.off(signal, tell);
      isListening = false;
    }

    return {
      add(react: () => void): void {
        leaving?.stop();
        reactions.add(react);
        if (!isListening) source.on(signal, tell);
        isListening = true;
      },
      remove(react: () => void): void {
        if (!reactions.delete(react) || reactions.size > 0) return;
        const leftMs = told + REPEAT_MS - clock.elapsed();
        if (leftMs > 0) leaving = clock.after(leftMs, leave);
        else leave();
      },
    };
  }

  return (signal, react) => {
    const one = heard.get(signal) ?? hear(signal);
    heard.set(signal, one);
    const own = () => react();
    one.add(own);
    return () => one.remove(own);
  };
}

/** Calls back at the first of these signals. The next one ends the process as usual. Returns how to stop listening. */
export function onFirstOf<Signal extends NodeJS.Signals>(
  onSignal: (signal: Signal, react: () => void) => () => void,
  signals: readonly Signal[],
  react: () => void,
): () => void {
  const stops: (() => void)[] = [];
  const ignore = () => {
    for (const stop of stops.splice(0)) stop();
  };
  for (const signal of signals)
    stops.push(
      onSignal(signal, () => {
        ignore();
        react();
      }),
    );
  return ignore;
}
