import { expect, it } from 'vitest';
import { withLargePages } from '../../lib/engine/environment.js';

it.each([
  [undefined, 'glibc.malloc.hugetlb=1'],
  ['glibc.malloc.check=1', 'glibc.malloc.check=1:glibc.malloc.hugetlb=1'],
  ['glibc.malloc.hugetlb=0', 'glibc.malloc.hugetlb=0'],
])('asks for large pages beside the tunables that a user chose: %s', (given, expected) => {
  const { GLIBC_TUNABLES, PATH } = withLargePages({ PATH: '/bin', ...(given && { GLIBC_TUNABLES: given }) });
  expect([GLIBC_TUNABLES, PATH]).toEqual([expected, '/bin']);
});
