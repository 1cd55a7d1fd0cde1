import { expect, it } from 'vitest';
import { toTorchProgram } from '../../../lib/cloud/host/python.js';

it('Python reads and writes UTF-8, whatever the system and its locale', () => {
  expect(toTorchProgram('python').env).toMatchObject({ PYTHONUTF8: '1' });
});
