// A cloud that cannot do everything answers 503 with its health; one that still starts, 503 with an error.
import { describe, expect, it } from 'vitest';
import { createCloudClient } from '../../lib/client/index.js';

const healthOf = (status: number, body: unknown) =>
  createCloudClient({
    baseUrl: 'https://cloud.example',
    fetch: async () => Response.json(body, { status }),
  }).getHealth();

describe("a cloud's health", () => {
  it('is an answer where the cloud is degraded', async () => {
    expect(await healthOf(200, { status: 'ok', idle: true })).toEqual({ status: 'ok', idle: true });
    expect(await healthOf(503, { status: 'degraded', idle: false })).toMatchObject({ status: 'degraded' });
  });

  it('is taken from a degraded cloud that adds an error for those who know no health', async () => {
    const error = { message: 'No space.', type: 'server_error', code: 'internal_error' };
    expect(await healthOf(503, { status: 'degraded', error })).toMatchObject({ status: 'degraded' });
  });

  it('is an error while the cloud starts', async () => {
    const error = { message: 'Starting.', type: 'server_error', code: 'internal_error' };
    await expect(healthOf(503, { error })).rejects.toMatchObject({ status: 503, message: 'Starting.' });
  });

  it('is an error where another status comes', async () => {
    await expect(healthOf(500, { status: 'degraded' })).rejects.toMatchObject({ status: 500 });
  });
});
