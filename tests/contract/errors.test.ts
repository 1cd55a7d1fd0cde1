import { describe, expect, it } from 'vitest';
import { ApiError, ERROR_STATUS, errorEnvelope, errorType } from '../../lib/contract/index.js';

describe('the error envelope', () => {
  it.each(['slug', null])(
    'carries message, type, code and the field to blame (%s), and nothing else',
    param => {
      const message = '`slug` is required.';
      const envelope = new ApiError('invalid_value', message, { param, requestId: 'r1' }).toEnvelope();
      const error = { message, type: 'invalid_request_error', code: 'invalid_value', param };
      expect(envelope).toEqual({ error });
      expect(errorEnvelope.parse(envelope)).toEqual(envelope);
      expect(new ApiError('internal_error', 'x').toEnvelope().error.param).toBeNull();
    },
  );

  it.each<[type: string, statuses: number[]]>([
    ['invalid_request_error', [400, 404, 405, 409, 413, 415]],
    ['authentication_error', [401]],
    ['permission_error', [403]],
    ['rate_limit_error', [429]],
    ['server_error', [500, 503]],
  ])('has the type %s for the statuses %j', (type, statuses) =>
    expect(statuses.map(errorType)).toEqual(statuses.map(() => type)),
  );

  it('gives each code the status of the contract, and keeps those that only newer servers know', () => {
    const codes = ['slug_taken', 'studio_token_invalid', 'cloud_unreachable'] as const;
    expect(codes.map(code => new ApiError(code, 'x').status)).toEqual([409, 403, 502]);
    expect(Math.min(...Object.values(ERROR_STATUS))).toBeGreaterThanOrEqual(400);
    const newer = { status: 422, type: 'odd_error', code: 'brand_new' };
    expect(new ApiError(newer, 'Odd.')).toMatchObject({ ...newer, message: 'Odd.' });
  });
});
