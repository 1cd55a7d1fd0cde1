import { describe, expect, it } from 'vitest';
import {
  isChosen,
  keepingText,
  keptFigures,
  keptFilterText,
  keptTurns,
  noKeptText,
  skippedText,
  toCorrection,
  toKeptRow,
} from '../../lib/console/index.js';
import { sampleKept } from '../support/sample-kept.js';
import { sampleDeployment } from '../support/samples.js';

const call = { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{}' } };

describe('an endpoint', () => {
  it('says that it keeps requests, and for how long', () => {
    const keeping = (fields: object) => keepingText(sampleDeployment(fields));
    expect(keeping({})).toBeNull();
    expect(keeping({ keepRequests: false })).toBeNull();
    expect(keeping({ keepRequests: true, runRetentionDays: 1 })).toBe(
      'Requests and answers are kept for 1 day.',
    );
    expect(keeping({ keepRequests: true, runRetentionMode: 'unlimited', runRetentionDays: null })).toBe(
      'Requests and answers are kept.',
    );
  });
});

describe('a kept request', () => {
  it('has what was asked last, and the answer with its calls', () => {
    const request = sampleKept({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Where ' },
            { type: 'text', text: 'is it?' },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', content: 'in Rome', tool_call_id: 'call_1' },
      ],
      answer: { content: 'Look:', tool_calls: [call] },
      outcome: 'cut',
    });
    expect(keptFigures(request)).toEqual({
      mark: '',
      asked: 'in Rome',
      answer: 'Look:\nlook({})',
      correction: null,
      outcome: 'cut at the maximum length',
      details: 'chat · svc/tiny · 80 ms',
    });
    expect(keptTurns(request).map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'system: Be brief.',
      'user: Where is it?',
      'assistant: look({})',
      'tool: in Rome',
    ]);
  });
});

describe('a row', () => {
  it('has the corrected answer in place of the given one', () => {
    const correction = { content: 'Today.' };
    const row = toKeptRow(sampleKept({ mark: 'corrected', correction, outcome: 'aborted' }));
    expect(row).toEqual({
      messages: [
        { role: 'user', content: 'My parcel is late.' },
        { role: 'assistant', content: 'Today.' },
      ],
    });
  });

  it('is not made of answers that are not whole, or empty', () => {
    for (const outcome of ['cut', 'aborted', 'failed'] as const)
      expect(toKeptRow(sampleKept({ outcome }))).toBeNull();
    expect(toKeptRow(sampleKept({ answer: { content: ' ' } }))).toBeNull();
  });

  it('is chosen by the mark', () => {
    const chosen = (['usual', 'good', 'corrected', 'all'] as const).map(choice =>
      ([null, 'good', 'bad', 'corrected'] as const).filter(mark => isChosen({ mark }, choice)),
    );
    expect(chosen).toEqual([['good', 'corrected'], ['good'], ['corrected'], [null, 'good', 'corrected']]);
  });
});

describe('the list', () => {
  it('counts, and says why there is nothing', () => {
    const counts = { all: 1200, good: 3, bad: 2, corrected: 1 };
    expect([
      keptFilterText(undefined, counts),
      keptFilterText('none', counts),
      keptFilterText('bad', counts),
    ]).toEqual(['All 1,200', 'Unmarked 1,194', 'Bad 2']);
    expect([noKeptText(undefined), noKeptText('good'), skippedText(0), skippedText(1)]).toEqual([
      'No requests kept yet',
      'No good answers',
      null,
      '1 request was too large to keep',
    ]);
    expect([toCorrection('  '), toCorrection('x ')]).toEqual([null, { content: 'x ' }]);
  });
});
