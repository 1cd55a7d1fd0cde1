// What agents may do without asking.
import { expect, it } from 'vitest';
import { PERMISSIONS, readPermissions } from '../../../cli/mcp/permissions.js';

it('is nothing, what is named, or all', () => {
  expect([...readPermissions(undefined)]).toEqual([]);
  expect([...readPermissions(['train,test', 'publish'])]).toEqual(['train', 'test', 'publish']);
  expect([...readPermissions(['all'])]).toEqual(PERMISSIONS);
  expect(() => readPermissions(['train,everything'])).toThrow('not "everything"');
});
