import { expect, it } from 'vitest';
import { isToAsk, linkAfterAnswer, linkAfterError, linkWithIdentity } from '../../lib/console/index.js';
import { ApiError } from '../../lib/contract/index.js';

it('knows that the cloud is there once it answered', () => {
  expect(linkAfterAnswer('unknown', true)).toBe('up');
  expect(linkAfterAnswer('away', true)).toBe('up');
});

it('learns nothing about the cloud from what Studio answers by itself, but that Studio is there', () => {
  expect(linkAfterAnswer('unknown', false)).toBe('unknown');
  expect(linkAfterAnswer('away', false)).toBe('away');
  expect(linkAfterAnswer('studio_gone', false)).toBe('unknown');
});

it('tells a cloud that is away from a Studio that is gone', () => {
  expect(linkAfterError('up', new ApiError('cloud_unreachable', 'away'))).toBe('away');
  expect(linkAfterError('up', new ApiError('studio_unreachable', 'gone'))).toBe('studio_gone');
});

it('takes a refusal for no sign of absence', () => {
  expect(linkAfterError('up', new ApiError('job_not_found', 'no such job'))).toBe('up');
  expect(linkAfterError('up', new Error('broken'))).toBe('up');
});

it('was asked when it gave an identity, which does not tell whether it is there now', () => {
  expect(linkWithIdentity('unknown')).toBe('known');
  for (const link of ['up', 'away', 'studio_gone'] as const) expect(linkWithIdentity(link)).toBe(link);
});

it('is asked only to find out where nothing else asks: soon while it is away, and now and then otherwise', () => {
  expect(isToAsk('up', 15_000, true)).toBe(false);
  expect(isToAsk('up', 20_000, true)).toBe(true);
  expect(isToAsk('away', 1000, true)).toBe(false);
  expect(isToAsk('away', 5000, true)).toBe(true);
  expect(isToAsk('away', 5000, false)).toBe(true);
  expect(isToAsk('up', 20_000, false)).toBe(false);
});
