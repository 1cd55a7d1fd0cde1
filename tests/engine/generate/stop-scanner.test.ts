import { describe, expect, it } from 'vitest';
import { createStopScanner } from '../../../lib/engine/generate/stop-scanner.js';

/** Scans a text cut like this: all text that comes out, and whether a stop sequence was found. */
function scan(stops: string[], pieces: string[]): { text: string; stopped: boolean; steps: string[] } {
  const scanner = createStopScanner(stops);
  const steps: string[] = [];
  for (const piece of pieces) {
    const { text, stopped } = scanner.push(piece);
    steps.push(text);
    if (stopped) return { text: steps.join(''), stopped, steps };
  }
  steps.push(scanner.flush());
  return { text: steps.join(''), stopped: false, steps };
}

describe('stop sequences', () => {
  it('are found wherever the text is cut', () => {
    const text = 'one two\n\nUser: three';
    for (let a = 0; a <= text.length; a++) {
      for (let b = a; b <= text.length; b++) {
        const { text: given, stopped } = scan(
          ['\nUser:', '###'],
          [text.slice(0, a), text.slice(a, b), text.slice(b)],
        );
        expect([given, stopped]).toEqual(['one two\n', true]);
      }
    }
  });

  it('are held back only while they may still be completed', () => {
    expect(scan(['<end>'], ['a<', 'en', 'x', '<e', 'nd', '>b']).steps).toEqual(['a', '', '<enx', '', '', '']);
    expect(scan(['aab'], ['a', 'a', 'a', 'b']).steps).toEqual(['', '', 'a', '']);
  });

  it('are emitted after all if nothing follows', () => {
    expect(scan(['<end>'], ['a <en'])).toMatchObject({ text: 'a <en', stopped: false });
  });

  it('stop at the one that is complete first, however the text is cut', () => {
    const whole = scan(['abc', 'b'], ['xabc']);
    expect(whole).toMatchObject({ text: 'xa', stopped: true });
    expect(scan(['abc', 'b'], [...'xabc'])).toMatchObject({ text: whole.text, stopped: true });
    expect(scan(['bc', 'abc'], ['xabc']).text).toBe('x');
    expect(scan(['bc', 'abc'], [...'xabc']).text).toBe('x');
  });

  it('never stop the text if there are none, or if they are empty', () => {
    expect(scan([], ['ab', 'c']).steps).toEqual(['ab', 'c', '']);
    expect(scan([''], ['ab', 'c']).steps).toEqual(['ab', 'c', '']);
  });
});
