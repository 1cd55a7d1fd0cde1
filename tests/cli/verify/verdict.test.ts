// What svc verify says of the comparison.
import { expect, it } from 'vitest';
import { renderVerdict, type Verdict } from '../../../cli/commands/verify/verdict.js';
import { createStyle } from '../../../cli/style.js';

import { JOB_ID } from '../../support/samples.js';

const same: Verdict = {
  ...{ verified: true, jobId: JOB_ID, repeatedAs: JOB_ID, exact: true, tolerance: 0, compared: 12 },
  ...{ differences: [], sameAdapter: true, changed: [], error: null },
};

it.each([
  [same, false, 'The same losses, bit for bit, at 12 logged steps, and the same adapter'],
  [same, true, 'The same rewards and losses, bit for bit, at 12 logged steps, and the same adapter'],
  [{ ...same, exact: false }, true, 'The same rewards and losses within 1 % at 12 logged steps'],
  [{ ...same, verified: false, sameAdapter: false }, true, 'The rewards and losses are the same, but'],
])('names what was compared: %#', (verdict, hasRewards, text) => {
  expect(renderVerdict(verdict, hasRewards, createStyle({ write: () => true }, { NO_COLOR: '1' }))).toContain(
    text,
  );
});
