// Signals to this process.
import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { createSignals } from '../../lib/system/index.js';
import { createVirtualClock } from '../support/virtual-clock.js';

function open() {
  const process = new EventEmitter();
  const clock = createVirtualClock();
  const told: string[] = [];
  const onSignal = createSignals(process, clock);
  return {
    ...{ clock, told },
    listen: (name: string, signal: NodeJS.Signals = 'SIGINT') => onSignal(signal, () => void told.push(name)),
    /** Whether anything listened; the process ends otherwise. */
    send: (signal: NodeJS.Signals = 'SIGINT') => process.emit(signal),
  };
}

it('tells all that listen, once for what comes twice at once, and again later', async () => {
  const { clock, told, listen, send } = open();
  listen('a');
  listen('b');
  for (let times = 0; times < 3; times++) expect(send()).toBe(true);
  expect(told).toEqual(['a', 'b']);
  await clock.pass(500);
  send();
  expect(told).toEqual(['a', 'b', 'a', 'b']);
});

it('what one signal repeats says nothing of another', () => {
  const { told, listen, send } = open();
  listen('a');
  listen('b', 'SIGTERM');
  send();
  send('SIGTERM');
  expect(told).toEqual(['a', 'b']);
});

it('ends the process once nothing listens, but not by the repetition of what was told', async () => {
  const { clock, told, listen, send } = open();
  const stop = listen('a');
  send();
  stop();
  stop();
  await clock.pass(499);
  expect(send()).toBe(true);
  await clock.pass(1);
  expect(send()).toBe(false);
  expect(told).toEqual(['a']);
  listen('unheard')();
  expect(send()).toBe(false);
});

it('goes on for what listens again meanwhile', async () => {
  const { clock, told, listen, send } = open();
  const stop = listen('a');
  send();
  stop();
  listen('b');
  send();
  await clock.pass(500);
  expect(send()).toBe(true);
  expect(told).toEqual(['a', 'b']);
});
