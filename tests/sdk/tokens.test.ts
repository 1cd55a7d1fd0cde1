// Tokens as the credentials file has them, and what happens to that file.
import { describe, expect, it } from 'vitest';
import { signedIn, signedOut, takenBack, withEntry } from '../../lib/sdk/credentials/credentials-changes.js';
import { audienceParameters, chooseScope } from '../../lib/sdk/oauth/provider.js';
import { expiresSoon, toTokens } from '../../lib/sdk/oauth/tokens.js';
import { sampleAnonymous, sampleSignedIn } from '../support/samples.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('tokens', () => {
  it('are kept with the time of their end, an hour when the provider does not say', () => {
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

  it('keep the former refresh token when the provider gives no other', () => {
    expect(toTokens({ access_token: 'a' }, NOW, 'former').refreshToken).toBe('former');
    expect(toTokens({ access_token: 'a', refresh_token: 'r' }, NOW, 'former').refreshToken).toBe('r');
  });

  it('are renewed half a minute before their end, in whatever way that is written', () => {
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

  it('are asked for in the words of both kinds of providers', () => {
    expect(audienceParameters('https://api.test')).toEqual({
      audience: 'https://api.test',
      resource: 'https://api.test',
    });
    expect(audienceParameters('my api')).toEqual({ audience: 'my api' });
    expect(audienceParameters(undefined)).toEqual({});
  });

  it('are asked for with the scopes that a provider knows', () => {
    expect(chooseScope(undefined)).toBe('openid email offline_access');
    expect(chooseScope(['offline_access', 'openid', 'profile'])).toBe('openid offline_access');
    expect(chooseScope([])).toBe('');
  });
});

describe('the credentials file', () => {
  const oauth = sampleSignedIn();
  const anonymous = sampleAnonymous();
  const other = { mode: 'oauth', of: 'another' };

  it('has the entry of one cloud changed, and everything else stays', () => {
    const file = { clouds: { b: other }, current: 'b', extra: 1 };
    expect(withEntry(file, 'a', anonymous)).toEqual({ ...file, clouds: { a: anonymous, b: other } });
  });

  it('sets an anonymous identity aside while somebody is signed in, and has it back afterwards', () => {
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

  it('keeps the cloud that is meant when one signs out of another', () => {
    const file = { clouds: { a: oauth, b: other }, current: 'b' };
    expect(signedOut(file, 'a')).toEqual({ clouds: { b: other }, current: 'b' });
    expect(signedOut(file, 'b')).toEqual({ clouds: { a: oauth } });
  });
});
