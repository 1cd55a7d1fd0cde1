import { expect, it } from 'vitest';
import { engineEnvironment } from '../../lib/engine/environment.js';

it('turns telemetry off and asks for large pages, beside what is there', () => {
  expect(engineEnvironment({ PATH: '/bin' })).toEqual({
    PATH: '/bin',
    ORT_DISABLE_TELEMETRY: '1',
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  });
});

it.each([
  ['glibc.malloc.check=1', 'glibc.malloc.check=1:glibc.malloc.hugetlb=1'],
  ['glibc.malloc.hugetlb=0', 'glibc.malloc.hugetlb=0'],
])('keeps tunables that a user chose: %s', (GLIBC_TUNABLES, expected) => {
  expect(engineEnvironment({ GLIBC_TUNABLES }).GLIBC_TUNABLES).toBe(expected);
});
