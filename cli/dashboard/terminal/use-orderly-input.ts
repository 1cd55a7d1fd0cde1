// Delivers one key at a time. Ink dispatches everything in one chunk before React has rendered, so the second
// key of a burst would act on stale state. Here each key waits until the previous one has been rendered.
// Mouse events and pasted text, which Ink would treat as keys, are filtered out.
import { useApp, useStdin } from 'ink';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Clock, Timer } from '../../../lib/clock/index.js';
import { graphemesOf } from '../../../lib/console/index.js';
import { createInputReader, type Input, type Pointed } from './read-input.js';

interface OrderlyInputProps {
  readonly clock: Clock;
  onPoint(pointed: Pointed): void;
  /** Pasted text goes only into text fields and never counts as a key. */
  readonly isTyping: () => boolean;
}

/** The rest of a key's sequence follows its first byte within this time. */
const ESCAPE_MS = 30;

/**
 * Forwards Ink's events, each after the previous one has been rendered. Must be the last component, so that
 * its effects run after all others have rendered the result of a key and updated their handlers.
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

    /** Treats each character as a key until one of them opens a field; the rest is typed into that field. */
    function spell(text: string): void {
      const [first] = graphemesOf(text);
      const rest = text.slice(first!.segment.length);
      if (rest !== '') waiting.unshift({ text: rest });
      emit('input', first!.segment);
    }

    /** First lets all state updates of the key reach React. */
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

    /** If a key handler fails, the dashboard fails. */
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
