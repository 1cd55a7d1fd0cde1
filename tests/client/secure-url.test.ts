// To which addresses a token may be sent.
import { describe, expect, it } from 'vitest';
import { assertSecureUrl, isLoopbackHost } from '../../lib/client/index.js';

describe('the URL of a cloud', () => {
  it.each([
    'https://cloud.example',
    'https://cloud.example/base/',
    'http://localhost:4100',
    'http://demo.localhost:4100',
    'http://127.0.0.1',
    'http://127.8.9.10:80',
    'http://[::1]:4100',
  ])('may be %s', url => {
    expect(assertSecureUrl(url)).toBe(url);
  });

  it.each([
    '',
    'cloud.example',
    'http://cloud.example',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://notlocalhost',
    'ftp://localhost',
  ])('may not be %s', url => {
    expect(() => assertSecureUrl(url)).toThrow(`"${url}" is not a valid cloud URL`);
  });

  it.each(['https://me@cloud.example', 'https://:secret@cloud.example', 'http://me:secret@localhost'])(
    'has no user or password, and the error does not repeat them: %s',
    url => {
      expect(() => assertSecureUrl(url)).toThrow(
        new TypeError('A cloud URL must not contain a user name or password.'),
      );
    },
  );

  it('is of this machine by its whole name only', () => {
    expect(['LOCALHOST', 'a.b.localhost', '127.0.0.1'].filter(name => !isLoopbackHost(name))).toEqual([]);
    expect(['localhost.', 'a_b.localhost', '127.0.0', '[::2]', '128.0.0.1'].filter(isLoopbackHost)).toEqual(
      [],
    );
  });
});
