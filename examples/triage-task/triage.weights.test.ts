// What a model has to answer. `npx svc test` asks the newest job, and `npx svc ship` serves no adapter that fails.

import { describeModel } from 'svc/vitest';
import { expect, it } from 'vitest';
import { triage } from './src/svc/task.js';

describeModel('triage', { job: 'latest', task: triage }, ({ ask }) => {
  it('knows where refunds belong', async () => {
    const { output } = await ask(
      'Please check the refund for order NC-25516. It is not urgent.\nThanks, Anna',
    );
    expect(output.desk).toBe('coin');
    expect(output.ref).toBe('NC-25516');
  });

  it('makes up no order and no name', async () => {
    const { output } = await ask('My box is broken. You gave me no number. I would like an answer today.');
    expect(output).toMatchObject({ ref: '-', who: '-' });
  });

  it('files most of the held-out messages as we would', async () => {
    await expect(ask).toScoreAtLeast(0.85, { on: 'data/held-out.jsonl', limit: 100 });
  });
});
