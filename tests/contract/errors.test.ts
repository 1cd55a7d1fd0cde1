import { describe, expect, it } from 'vitest';
import { ApiError, ERROR_STATUS, errorEnvelope, errorType } from '../../lib/contract/index.js';

describe('the error envelope', () => {
  it('carries message, type, code and param, and nothing else', () => {
    const error = new ApiError('invalid_value', '`slug` is required.', { param: 'slug', requestId: 'r1' });
    expect(error.toEnvelope()).toEqual({
      error: {
        message: '`slug` is required.',
        type: 'invalid_request_error',
        code: 'invalid_value',
        param: 'slug',
      },
    });
    expect(errorEnvelope.parse(error.toEnvelope())).toEqual(error.toEnvelope());
  });

  it('has param null when no field is to blame', () => {
    expect(new ApiError('internal_error', 'x').toEnvelope().error.param).toBeNull();
  });

  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'invalid_request_error'],
    [405, 'invalid_request_error'],
    [409, 'invalid_request_error'],
    [413, 'invalid_request_error'],
    [415, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('gives status %i the type %s', (status, type) => {
    expect(errorType(status)).toBe(type);
  });

  it('gives each code the status of the contract', () => {
    expect(new ApiError('slug_taken', 'x').status).toBe(409);
    expect(new ApiError('studio_token_invalid', 'x').status).toBe(403);
    expect(new ApiError('cloud_unreachable', 'x').status).toBe(502);
    for (const status of Object.values(ERROR_STATUS)) expect(status).toBeGreaterThanOrEqual(400);
  });

  it('keeps a code and status that only a newer server knows', () => {
    const error = new ApiError({ status: 422, type: 'odd_error', code: 'brand_new' }, 'Odd.');
    expect(error).toMatchObject({ status: 422, type: 'odd_error', code: 'brand_new', message: 'Odd.' });
  });
});
