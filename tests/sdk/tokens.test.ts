// Tokens, from the identity provider to the credentials file, and changes to that file.
import { beforeEach, describe, expect, it } from 'vitest';
import { signedIn, signedOut, takenBack, withEntry } from '../../lib/sdk/credentials.js';
import { audienceParameters, chooseScope } from '../../lib/sdk/oauth/provider.js';
import { expiresSoon, toTokens } from '../../lib/sdk/oauth/tokens.js';
import { createAccessTokens } from '../../lib/sdk/session/access-tokens.js';
import { startServer } from '../engine/train/data/web-server.js';
import { sampleAnonymous, sampleSignedIn } from '../support/samples.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { writeCredentials } from '../support/write-credentials.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('tokens', () => {
  it('are stored with their expiry, which defaults to an hour, and keep the old refresh token without a new one', () => {
    const stored = (given: object, former?: string) =>
      Object.values(toTokens({ access_token: 'a', ...given }, NOW, former));
    expect(toTokens({ access_token: 'a', refresh_token: 'r', expires_in: 60 }, NOW)).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
      expiresAt: '2026-01-01T00:01:00.000Z',
    });
    const inAnHour = '2026-01-01T01:00:00.000Z';
    expect(stored({})).toEqual(['a', null, inAnHour]);
    expect(stored({}, 'former')).toEqual(['a', 'former', inAnHour]);
    expect(stored({ refresh_token: 'r' }, 'former')).toEqual(['a', 'r', inAnHour]);
  });

  it.each<[string, (time: number) => string | number]>([
    ['text', time => new Date(time).toISOString()],
    ['milliseconds', time => time],
    ['seconds', time => time / 1000],
  ])('are renewed 30 seconds before they expire: %s', (_, write) => {
    const soon = [31, 29, -1].map(seconds => expiresSoon(write(NOW + seconds * 1000), NOW));
    expect(soon).toEqual([false, true, true]);
  });

  it('are renewed where nobody knows when they expire', () => {
    for (const never of ['', 'tomorrow', 0]) expect(expiresSoon(never, NOW)).toBe(true);
  });

  it('are requested with both `audience` and `resource`, if it is a URL', () => {
    const url = 'https://api.test';
    expect(audienceParameters(url)).toEqual({ audience: url, resource: url });
    expect(audienceParameters('my api')).toEqual({ audience: 'my api' });
    expect(audienceParameters(undefined)).toEqual({});
  });

  it('are requested only with scopes that the provider supports', () => {
    expect(chooseScope(undefined)).toBe('openid email offline_access');
    expect(chooseScope(['offline_access', 'openid', 'profile'])).toBe('openid offline_access');
    expect(chooseScope([])).toBe('');
  });
});

describe('the credentials file', () => {
  const oauth = sampleSignedIn();
  const anonymous = sampleAnonymous();
  const other = { mode: 'oauth', of: 'another' };

  it('changes the entry of one cloud and keeps everything else', () => {
    const file = { clouds: { b: other }, current: 'b', extra: 1 };
    expect(withEntry(file, 'a', anonymous)).toEqual({ ...file, clouds: { a: anonymous, b: other } });
  });

  it('sets an anonymous identity aside while signed in, and restores it after signing out', () => {
    const file = { clouds: { a: anonymous, b: other } };
    const signed = signedIn(file, 'a', oauth);
    expect(signed).toEqual({ clouds: { a: oauth, b: other }, current: 'a', anonymous: { a: anonymous } });
    expect(signedIn(signed, 'a', oauth)).toEqual(signed);
    const out = signedOut(signed, 'a');
    expect(out).toEqual({ clouds: { b: other }, anonymous: { a: anonymous } });
    expect(takenBack(out, 'a')).toEqual(file);
    expect([takenBack(out, 'b'), takenBack(file, 'a')]).toEqual([null, null]);
  });

  it('keeps the current cloud after signing out of another', () => {
    const file = { clouds: { a: oauth, b: other }, current: 'b' };
    expect(signedOut(file, 'a')).toEqual({ clouds: { b: other }, current: 'b' });
    expect(signedOut(file, 'b')).toEqual({ clouds: { a: oauth } });
  });
});

const provider = await startServer((_, response) => response.writeHead(503).end());

let home: string;
beforeEach(() => {
  home = temporaryFolder('svc-tokens');
  provider.requests.length = 0;
});

const write = (fields: Parameters<typeof sampleSignedIn>[0]) => {
  const old = { accessToken: 'old', refreshToken: 'r', expiresAt: 0, issuer: provider.url };
  return writeCredentials(home, { here: sampleSignedIn({ ...old, ...fields }) });
};

/** It is retried, but not on every call. */
describe('an unreachable identity provider', () => {
  it('is asked once by all callers, and again after a while', async () => {
    await write({});
    let now = 1_000_000;
    const tokens = () => createAccessTokens(home, 'here', () => now);
    expect(await tokens().get()).toBe('old');
    const once = provider.requests.length;
    expect(once).toBeGreaterThan(0);
    for (let i = 0; i < 3; i++) expect(await tokens().get()).toBe('old');
    await expect(tokens().renew('old')).rejects.toMatchObject({ status: 502, code: 'issuer_unreachable' });
    expect(provider.requests).toHaveLength(once);
    now += 6000;
    expect(await tokens().get()).toBe('old');
    expect(provider.requests).toHaveLength(2 * once);
  });

  it('is not asked if another process already renewed the token or ended the session', async () => {
    const tokens = createAccessTokens(home, 'here');
    await write({ accessToken: 'new' });
    expect(await tokens.renew('old')).toBe('new');
    await write({ refreshToken: null });
    expect(await tokens.renew('old')).toBeNull();
    await write({ ended: true });
    const ended = { code: 'unauthenticated', message: expect.stringContaining('svc login') };
    for (const call of ['get', 'renew'] as const)
      await expect(tokens[call]('old')).rejects.toMatchObject(ended);
    expect(provider.requests).toEqual([]);
  });
});
