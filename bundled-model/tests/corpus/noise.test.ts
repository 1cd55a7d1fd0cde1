import { describe, expect, it } from 'vitest';
import { createDraw } from '../../corpus/draw.js';
import { addTypingHabits, addTypos } from '../../corpus/noise.js';

type Noise = typeof addTypingHabits;

const typed = (noise: Noise, text: string, count = 400) =>
  new Set(Array.from({ length: count }, (_, number) => noise(createDraw('train', 5, number), text)));

describe('addTypingHabits', () => {
  it('adds typing habits, and leaves most messages clean', () => {
    const versions = typed(addTypingHabits, "Tell me what's in {order}.");
    for (const version of [
      "Tell me what's in {order}.",
      "tell me what's in {order}.",
      "Tell me what's in {order}",
      'Tell me whats in {order}.',
      "Please tell me what's in {order}.",
      "Hi! Tell me what's in {order}.",
      "Hello, tell me what's in {order}.",
    ])
      expect(versions).toContain(version);
    const number = Array.from({ length: 400 }, (_, i) =>
      addTypingHabits(createDraw('train', 5, i), 'Where is it?'),
    );
    expect(number.filter(version => version === 'Where is it?').length).toBeGreaterThan(160);
  });

  it('leaves placeholders, codes and the word "I" unchanged', () => {
    for (const version of typed(addTypingHabits, '{name} here.')) expect(version).toContain('{name} here');
    for (const version of typed(addTypingHabits, 'AB-12 is late.'))
      expect(version).toContain('AB-12 is late');
    for (const version of typed(addTypingHabits, 'I am here.')) expect(version).toContain('I am here');
  });

  it('adds please and hello at most once, and only where they fit', () => {
    for (const version of typed(addTypingHabits, 'Can you help, please?'))
      expect(version.match(/please|pls/gi)).toHaveLength(1);
    for (const version of typed(addTypingHabits, 'My name is {name}.'))
      expect(version).not.toMatch(/please|pls/i);
    for (const version of typed(addTypingHabits, 'Hello there!')) expect(version).toMatch(/^hello there!?$/i);
    expect(typed(addTypingHabits, 'Can you help?')).toContain('Can you please help?');
  });
});

describe('addTypos', () => {
  it('adds nothing', () => {
    const versions = typed(addTypos, 'Tell me the way.');
    expect(versions).toContain('tell me teh way.');
    for (const version of versions) expect(version).toMatch(/^tell me (the|teh) way\.?$/i);
  });
});
