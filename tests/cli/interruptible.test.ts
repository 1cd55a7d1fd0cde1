// Work that a signal ends early.
import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { Signal } from '../../cli/command.js';
import { interruptible, onFirstSignal } from '../../cli/commands/terminal/interruptible.js';

const SIGNALS: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function createProcess() {
  const emitter = new EventEmitter();
  return {
    onSignal(signal: Signal, react: () => void) {
      emitter.on(signal, react);
      return () => void emitter.off(signal, react);
    },
    /** Whether anything listened; the process ends otherwise. */
    send: (signal: Signal) => emitter.emit(signal),
    listened: () => SIGNALS.filter(name => emitter.listenerCount(name) > 0),
  };
}

it.each(SIGNALS)('%s calls back once; a second signal, whichever it is, ends the process', first => {
  const { onSignal, send, listened } = createProcess();
  let calls = 0;
  onFirstSignal({ onSignal }, () => {
    calls += 1;
  });
  expect(listened()).toEqual(SIGNALS);
  expect(send(first)).toBe(true);
  expect(SIGNALS.map(send)).toEqual([false, false, false]);
  expect(calls).toBe(1);
});

it('work that is done leaves nothing that listens', async () => {
  const { onSignal, listened } = createProcess();
  expect(await interruptible({ onSignal }, async () => expect(listened()).toEqual(SIGNALS))).toBe(0);
  await expect(interruptible({ onSignal }, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(listened()).toEqual([]);
});

it('an error after a signal is the interruption itself', async () => {
  const { onSignal, send } = createProcess();
  const code = interruptible({ onSignal }, async signal => {
    send('SIGHUP');
    signal.throwIfAborted();
  });
  expect(await code).toBe(130);
});
