// Tokens in the credentials file, and changes to that file.
import { describe, expect, it } from 'vitest';
import { signedIn, signedOut, takenBack, withEntry } from '../../lib/sdk/credentials/credentials-changes.js';
import { audienceParameters, chooseScope } from '../../lib/sdk/oauth/provider.js';
import { expiresSoon, toTokens } from '../../lib/sdk/oauth/tokens.js';
import { sampleAnonymous, sampleSignedIn } from '../support/samples.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('tokens', () => {
  it('are stored with their expiry, which defaults to an hour', () => {
    expect(toTokens({ access_token: 'a', refresh_token: 'r', expires_in: 60 }, NOW)).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
      expiresAt: '2026-01-01T00:01:00.000Z',
    });
    expect(toTokens({ access_token: 'a' }, NOW)).toEqual({
      accessToken: 'a',
      refreshToken: null,
      expiresAt: '2026-01-01T01:00:00.000Z',
    });
  });

  it('keep the old refresh token when the provider returns no new one', () => {
    expect(toTokens({ access_token: 'a' }, NOW, 'former').refreshToken).toBe('former');
    expect(toTokens({ access_token: 'a', refresh_token: 'r' }, NOW, 'former').refreshToken).toBe('r');
  });

  it('are renewed 30 seconds before they expire, in any format of the expiry', () => {
    const at = (seconds: number) => NOW + seconds * 1000;
    for (const write of [
      (time: number) => new Date(time).toISOString(),
      (time: number) => time,
      (time: number) => time / 1000,
    ]) {
      expect(expiresSoon(write(at(31)), NOW)).toBe(false);
      expect(expiresSoon(write(at(29)), NOW)).toBe(true);
      expect(expiresSoon(write(at(-1)), NOW)).toBe(true);
    }
    for (const never of ['', 'tomorrow', 0]) expect(expiresSoon(never, NOW)).toBe(true);
  });

  it('are requested with both `audience` and `resource`, if it is a URL', () => {
    expect(audienceParameters('https://api.test')).toEqual({
      audience: 'https://api.test',
      resource: 'https://api.test',
    });
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
    expect(takenBack(out, 'b')).toBeNull();
    expect(takenBack(file, 'a')).toBeNull();
  });

  it('keeps the current cloud after signing out of another', () => {
    const file = { clouds: { a: oauth, b: other }, current: 'b' };
    expect(signedOut(file, 'a')).toEqual({ clouds: { b: other }, current: 'b' });
    expect(signedOut(file, 'b')).toEqual({ clouds: { a: oauth } });
  });
});
