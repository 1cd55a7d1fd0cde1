// How far a training is, out of its events; and the line that shows it.
import { describe, expect, it } from 'vitest';
import { advance, noProgress, type Progress, remainingMs } from '../../../cli/commands/training/progress.js';
import { renderProgress } from '../../../cli/commands/training/progress-text.js';
import { createStyle } from '../../../cli/style.js';
import { displayWidth } from '../../../lib/console/index.js';
import type { JobEvent } from '../../../lib/contract/index.js';
import { at, completed, log, started } from '../support/job-events.js';

const style = createStyle({ write: () => {} }, {});
const reduce = (...events: JobEvent[]): Progress => events.reduce(advance, noProgress);

describe('the progress of a training', () => {
  it('knows nothing before it started', () => {
    expect(remainingMs(noProgress)).toBeNull();
    expect(renderProgress(noProgress, 80, style)).toContain('step 0');
  });

  it('expects what is left to go at the pace so far', () => {
    const progress = reduce(
      started({ timestamp: at(0), totalSteps: 40 }),
      log({ step: 10, timestamp: at(5) }),
    );
    expect(remainingMs(progress)).toBe(15_000);
  });

  it('counts the pace of a resumed run from where it resumed', () => {
    const progress = reduce(
      started({ timestamp: at(0), totalSteps: 40 }),
      log({ step: 10, timestamp: at(5) }),
      started({ timestamp: at(100), totalSteps: 40, resumedFromStep: 20 }),
      log({ step: 30, timestamp: at(102) }),
    );
    expect(remainingMs(progress)).toBe(2000);
  });

  it('keeps the last of each figure', () => {
    const progress = reduce(
      started(),
      log({ step: 10, loss: 2, tokensPerSecond: 400 }),
      log({ step: 20, evalLoss: 1.5, loss: null }),
      completed(),
    );
    expect(progress).toMatchObject({ step: 20, loss: 2, evalLoss: 1.5, tokensPerSecond: 400 });
  });
});

describe('the progress line', () => {
  const progress = reduce(
    started({ timestamp: at(0), totalSteps: 40 }),
    log({ step: 10, loss: 2.34567, tokensPerSecond: 412.3, timestamp: at(5) }),
  );

  it('has a bar, and figures with their units', () => {
    expect(renderProgress(progress, 100, style)).toBe(
      `${'█'.repeat(7)}${'░'.repeat(23)}  step 10/40  loss 2.346  ETA 15 s  412 tokens/s`,
    );
  });

  it('leaves out the bar first, then what matters least', () => {
    expect(renderProgress(progress, 52, style)).toBe('step 10/40  loss 2.346  ETA 15 s  412 tokens/s');
    expect(renderProgress(progress, 36, style)).toBe('step 10/40  loss 2.346  ETA 15 s');
    expect(renderProgress(progress, 12, style)).toBe('step 10/40');
  });

  it('fits', () => {
    for (let width = 10; width < 120; width++)
      expect(displayWidth(renderProgress(progress, width, style))).toBeLessThanOrEqual(width);
  });

  it('is full at the end, and no fuller when there is more', () => {
    const full = '█'.repeat(30);
    for (const step of [40, 41])
      expect(renderProgress(reduce(started({ totalSteps: 40 }), log({ step })), 120, style)).toContain(
        `${full}  `,
      );
  });
});
