import { expect, it } from 'vitest';
import { findDiskFault } from '../../lib/system/index.js';

const withCode = (code: string) => Object.assign(new Error('write'), { code });

it.each([
  ['a full disk', withCode('ENOSPC'), 'ENOSPC'],
  [
    'an I/O error wrapped twice',
    new Error('a', { cause: new Error('b', { cause: withCode('EIO') }) }),
    'EIO',
  ],
  ['a process that the system does not start', withCode('EAGAIN'), 'EAGAIN'],
  ['the message of a native library', new Error('write failed: No space left on device'), 'ENOSPC'],
])('finds %s', (_, error, code) => {
  expect(findDiskFault(error)).toBe(code);
});

it.each([new Error('loss is not finite'), withCode('ENOENT'), withCode('SQLITE_CONSTRAINT'), null])(
  'ignores other errors: %s',
  error => {
    expect(findDiskFault(error)).toBeNull();
  },
);
