import { describe, expect, it } from 'vitest';
import { toSafeLine, toSafeText } from '../../lib/console/index.js';

describe('text of others', () => {
  it('loses every sequence that steers a terminal', () => {
    expect(toSafeText('\u001b[31mred\u001b[0m')).toBe('red');
    expect(toSafeText('a\u001b[2J\u001b[Hb')).toBe('ab');
    expect(toSafeText('a\u001b]0;title\u0007b')).toBe('ab');
    expect(toSafeText('a\u001b]52;c;aGk=\u001b\\b')).toBe('ab');
    expect(toSafeText('a\u001bP1;2q\u001b\\b')).toBe('ab');
    expect(toSafeText('a\u009b31mb\u009d0;t\u009cc')).toBe('abc');
    expect(toSafeText('a\u001b(0b\u001bcc')).toBe('abc');
  });

  it('loses control characters, and marks that turn or hide what is written', () => {
    expect(toSafeText('a\u0000\u0007\b\u007f\u0085b')).toBe('ab');
    expect(toSafeText('a\u202eb\u2066c\u200bd\ufeffe')).toBe('abcde');
    expect(toSafeText('a\u{e0041}b')).toBe('ab');
  });

  it('never keeps an escape, even of a sequence without an end', () => {
    for (const text of ['\u001b', '\u001b[', '\u001b]0;x', '\u001b\u001b[31', 'x\u001b[31'])
      expect(toSafeText(text)).not.toContain('\u001b');
  });

  it('keeps what people write', () => {
    const text = 'Überprüfung 翻訳 🚀 é\nsecond line';
    expect(toSafeText(text)).toBe(text);
    expect(toSafeText('👩‍🚀')).toBe('👩‍🚀');
  });

  it('shows half a character as a replacement, and a tab as blanks', () => {
    expect(toSafeText('a\ud83db')).toBe('a\ufffdb');
    expect(toSafeText('a\tb')).toBe('a  b');
  });

  it('is one line where one line is wanted', () => {
    expect(toSafeLine('a\r\nb\tc\u2028d')).toBe('a b c d');
  });
});
