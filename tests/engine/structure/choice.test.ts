// Answers that are one of several texts, with a real vocabulary: whatever the model prefers.
import { describe, expect, it } from 'vitest';
import { randomLogits, wanting, write } from './writing.js';

const LABELS = ['bug', 'bug report', 'bugs', 'wish', '質問', 'Zoë 👩‍👧', 'a\nb', '{"a": 1}'];
const writeChoice = (choices: readonly string[], wanted: string, after = '') =>
  write({ choices }, wanting(wanted, after)).text;

describe('one of several texts', () => {
  it.each(LABELS)('is what the model wants to write: %j', label => {
    expect(writeChoice(LABELS, label)).toBe(label);
  });

  it.each([
    ['bug', ' and more'],
    ['wish', 'ful thinking'],
    ['bug report', 's'],
  ])('%j ends where nothing else may follow: %j', (label, after) => {
    expect(LABELS).toContain(writeChoice(LABELS, label, after));
    expect(writeChoice([label], label, after)).toBe(label);
  });

  it('is one of them, whatever the model prefers', () => {
    const written = new Set(
      Array.from({ length: 200 }, (_, seed) => write({ choices: LABELS }, randomLogits(seed)).text),
    );
    expect([...written].filter(text => !LABELS.includes(text))).toEqual([]);
    expect(written.size).toBeGreaterThan(5);
  });

  it('may begin with what is a token of its own to the model, and is written as a text', () => {
    const choices = ['<|im_start|>', '<|im_start|>x', 'no'];
    const written = Array.from({ length: 50 }, (_, seed) => write({ choices }, randomLogits(seed)).text);
    expect([...new Set(written)].sort()).toEqual(choices);
  });

  it('may be one of a thousand', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `label ${index}`);
    expect(writeChoice(many, 'label 99')).toBe('label 99');
    expect(writeChoice(many, 'label 998')).toBe('label 998');
  });

  it('is closed in time, where few tokens are left', () => {
    const { text } = write({ choices: ['a', 'abcdefghijklmnopqrstuvwxyz'] }, wanting('abcdefghij'), 1);
    expect(text).toBe('a');
  });
});
