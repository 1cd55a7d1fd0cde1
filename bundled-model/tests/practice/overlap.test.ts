import { describe, expect, it } from 'vitest';
import { makeConversation } from '../../corpus/index.js';
import { measureOverlap, PRACTICE_NAMES, type PracticeRow, practiceRows } from '../../practice/index.js';

function row(asked: string, templates: string[] = [], values: string[] = []): PracticeRow {
  return { asked, answer: '', messages: [], templates, values };
}

const heldOut = [
  row('Good day. The hen of Mara sleeps on roof A-4821 at night.', ['a', 'b'], ['Mara', 'A-4821']),
];
const against = (train: PracticeRow[], corpus: string[] = []) => measureOverlap(train, heldOut, corpus);

describe('the overlap', () => {
  it('counts templates and values that both sides list', () => {
    const overlap = against([row('', ['b', 'c'], ['mara', 'Tom'])]);
    expect([overlap.sharedTemplates, overlap.sharedValues]).toEqual([1, 1]);
  });

  it('finds a sentence that differs only in its values', () => {
    const { training } = against([row('The hen of Tom sleeps on roof 77 at night!', [], ['Tom', '77'])]);
    expect(training.examples.sentences).toEqual(['the hen of _ sleeps on roof _ at night']);
    expect(training.sentences).toBe(1);
  });

  it('finds one in the corpus too, which does not list its values', () => {
    expect(against([], ['Hi. The hen of Zoë Holt sleeps on roof 12-B at night.']).corpus.sentences).toBe(1);
    expect(against([], ['The hen of my aunt sleeps on roof 12-B at night.']).corpus.sentences).toBe(0);
  });

  it('ignores greetings of two words', () => {
    expect(against([], ['Good day.']).corpus.sentences).toBe(0);
  });

  it('finds the longest run of words in common', () => {
    const { corpus } = against([], ['We sleeps on roof', 'He sleeps on roof _ at noon', 'at night']);
    expect(corpus.examples.longestRun).toBe('sleeps on roof _ at');
    expect(corpus.longestRun).toBe(5);
    expect(against([], ['We sleeps on roof no']).corpus.longestRun).toBe(3);
  });

  it('finds values that occur as whole words', () => {
    expect(against([], ['Ask (Mara), please.']).corpus.examples.values).toEqual(['Mara']);
    expect(against([], ['Ask Maran about BA-48211.']).corpus.values).toBe(0);
  });
});

const corpus = Array.from({ length: 800 }, (_, number) => makeConversation('train', 1, number))
  .flatMap(({ messages }) => messages)
  .map(({ content }) => content);

describe.each(PRACTICE_NAMES)('held-out rows of %s', name => {
  const train = practiceRows(name, 'train', 500, 1);
  const rows = practiceRows(name, 'held-out', 100, 1);
  const overlap = measureOverlap(train, rows, corpus);

  it('share no template, no value and no sentence with training rows', () => {
    expect([overlap.sharedTemplates, overlap.sharedValues]).toEqual([0, 0]);
    expect(overlap.training.examples).toMatchObject({ sentences: [], values: [] });
    expect(overlap.training.longestRun).toBeLessThanOrEqual(7);
  });

  it('share no value and no sentence with the corpus', () => {
    expect(overlap.corpus.examples).toMatchObject({ sentences: [], values: [] });
  });
});
