import { describe, expect, it } from 'vitest';
import { decideRetention } from '../../../lib/cloud/deployments/retention.js';

const days = (number: number) => ({ mode: 'days' as const, days: number });
const unlimited = { mode: 'unlimited' as const, days: null };

describe('the retention of runs', () => {
  it('defaults to seven days', () => {
    expect(decideRetention({}, null)).toEqual(days(7));
    expect(decideRetention({ runRetentionDays: 3 }, null)).toEqual(days(3));
    expect(decideRetention({ runRetentionMode: 'days', runRetentionDays: 3 }, null)).toEqual(days(3));
    expect(decideRetention({ runRetentionMode: 'disabled' }, null)).toEqual({ mode: 'disabled', days: null });
    expect(decideRetention({ runRetentionMode: 'unlimited', runRetentionDays: null }, null)).toEqual(
      unlimited,
    );
  });

  it('keeps the current mode and days unless given', () => {
    expect(decideRetention({}, days(3))).toEqual(days(3));
    expect(decideRetention({}, unlimited)).toEqual(unlimited);
    expect(decideRetention({ runRetentionMode: 'days' }, days(3))).toEqual(days(3));
    expect(decideRetention({ runRetentionDays: 9 }, days(3))).toEqual(days(9));
  });

  it('drops its days when its mode changes', () => {
    expect(decideRetention({ runRetentionMode: 'unlimited' }, days(3))).toEqual(unlimited);
  });

  it.each([
    [{ runRetentionMode: 'days' as const }, null],
    [{ runRetentionMode: 'days' as const }, unlimited],
    [{ runRetentionDays: null }, days(3)],
    [{ runRetentionDays: null }, null],
    [{ runRetentionDays: 3 }, unlimited],
    [{ runRetentionMode: 'disabled' as const, runRetentionDays: 3 }, null],
  ])('is refused when mode and days do not match: %j after %j', (given, current) => {
    expect(() => decideRetention(given, current)).toThrow(
      expect.objectContaining({ status: 400, code: 'invalid_value', param: 'runRetentionDays' }),
    );
  });
});
