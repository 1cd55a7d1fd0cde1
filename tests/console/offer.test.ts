import { expect, it } from 'vitest';
import { offerRows } from '../../lib/console/index.js';

it('an endpoint without additions has nothing to show', () => {
  expect(offerRows({ operations: ['chat'], corsOrigins: [] })).toEqual([]);
});

it('operations and origins are shown once there are more, even ones that only a newer cloud knows', () => {
  expect(offerRows({ operations: ['chat', 'images'], corsOrigins: [] })).toEqual([
    { label: 'Operations', values: ['chat', 'images'] },
  ]);
  expect(offerRows({ operations: ['chat'], corsOrigins: ['https://app.example.com'] })).toEqual([
    { label: 'CORS', values: ['https://app.example.com'] },
  ]);
});
