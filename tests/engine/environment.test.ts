import { expect, it } from 'vitest';
import { withServingMemory } from '../../lib/engine/environment.js';

const GIVES_BACK = 'glibc.malloc.mmap_threshold=131072';

it.each([
  [undefined, `glibc.malloc.hugetlb=1:${GIVES_BACK}`],
  ['glibc.malloc.check=1', `glibc.malloc.check=1:glibc.malloc.hugetlb=1:${GIVES_BACK}`],
  ['glibc.malloc.hugetlb=0', `glibc.malloc.hugetlb=0:${GIVES_BACK}`],
  ['glibc.malloc.mmap_threshold=4096', 'glibc.malloc.mmap_threshold=4096:glibc.malloc.hugetlb=1'],
])(
  'asks for large pages, and to give memory back, beside the tunables that a user chose: %s',
  (given, expected) => {
    const { GLIBC_TUNABLES, PATH } = withServingMemory({
      PATH: '/bin',
      ...(given && { GLIBC_TUNABLES: given }),
    });
    expect([GLIBC_TUNABLES, PATH]).toEqual([expected, '/bin']);
  },
);
