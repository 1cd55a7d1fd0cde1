// Expecting what becomes so sooner or later, inside a test.
import { expect } from 'vitest';
import { PATIENCE_MS } from './patience.js';

export function until<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: PATIENCE_MS, interval: 40 });
}
