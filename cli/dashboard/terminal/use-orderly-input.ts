// One key at a time. Ink hands on all that came in one piece before React has drawn anything, so the second key of a burst
// would act on what was there before the first. Here each waits until the one before it has been drawn. Reports of the mouse
// and pasted text, which Ink takes for keys, are told apart.
import { useApp, useStdin } from 'ink';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Clock, Timer } from '../../../lib/clock/index.js';
import { createInputReader, type Input, type Pointed } from './read-input.js';

interface OrderlyInputProps {
  readonly clock: Clock;
  onPoint(pointed: Pointed): void;
  /** Pasted text is typed where text is typed, and is never a key. */
  readonly isTyping: () => boolean;
}

/** How soon after its first byte the rest of a key's sequence follows. */
const ESCAPE_MS = 30;

const graphemes = new Intl.Segmenter('en');

/**
 * Hands on Ink's events, each after the one before it has been drawn. It must be the last component: its effects then run when
 * all others have drawn what a key did, and listen with what they know since.
 */
export function OrderlyInput(props: OrderlyInputProps): null {
  const { clock } = props;
  const { internal_eventEmitter: emitter } = useStdin();
  const { exit } = useApp();
  const [turn, setTurn] = useState(0);
  const onDrawn = useRef(() => {});
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is to run once for each turn
  useEffect(() => onDrawn.current(), [turn]);
  useLayoutEffect(() => {
    const emit = emitter.emit.bind(emitter);
    const reader = createInputReader();
    const waiting: Input[] = [];
    let isBusy = false;
    let timer: Timer | undefined;

    function hand(input: Input): void {
      if ('pointed' in input) latest.current.onPoint(input.pointed);
      else if ('key' in input) emit('input', input.key);
      else if (latest.current.isTyping()) emit('input', 'text' in input ? input.text : input.pasted);
      else if ('text' in input) spell(input.text);
    }

    /** Each character is a key until one of them opens a field; the rest is typed into that field. */
    function spell(text: string): void {
      const [first] = graphemes.segment(text);
      const rest = text.slice(first!.segment.length);
      if (rest !== '') waiting.unshift({ text: rest });
      emit('input', first!.segment);
    }

    /** First, all that the key did has to reach React. */
    async function drawn(): Promise<void> {
      await new Promise(resolve => setImmediate(resolve));
      await new Promise<void>(resolve => {
        onDrawn.current = resolve;
        setTurn(turn => turn + 1);
      });
    }

    async function work(inputs: readonly Input[]): Promise<void> {
      waiting.push(...inputs);
      if (isBusy) return;
      isBusy = true;
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        hand(next);
        await drawn();
      }
      isBusy = false;
    }

    /** What a key does may fail, and then the dashboard does. */
    const take = (inputs: readonly Input[]) => void work(inputs).catch(exit);

    emitter.emit = (event: string | symbol, ...values: unknown[]) => {
      if (event !== 'input') return emit(event, ...values);
      timer?.stop();
      take(reader.read(String(values[0])));
      if (reader.isUnfinished) timer = clock.after(ESCAPE_MS, () => take(reader.readRest()));
      return true;
    };
    return () => {
      timer?.stop();
      emitter.emit = emit;
    };
  }, [emitter, exit, clock]);
  return null;
}
