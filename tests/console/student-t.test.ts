import { expect, test } from 'vitest';
import { criticalValue95, STUDENT_T_95 } from '../../lib/console/student-t.js';
import expected from '../golden/statistics/expected.json' with { type: 'json' };

test('the table holds what scipy computes for 1 to 30 degrees of freedom', () => {
  expect(STUDENT_T_95).toHaveLength(30);
  for (const [index, wanted] of expected.tCritical95.entries()) {
    expect(Math.abs(STUDENT_T_95[index]! / wanted - 1)).toBeLessThan(1e-14);
  }
});

test('the table is used from 2 to 31 values and z = 1.96 above', () => {
  expect(criticalValue95(2)).toBe(STUDENT_T_95[0]);
  expect(criticalValue95(31)).toBe(STUDENT_T_95[29]);
  expect([32, 33, 100_000].map(criticalValue95)).toEqual([1.96, 1.96, 1.96]);
});
