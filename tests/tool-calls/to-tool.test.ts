// Functions as data sets have them, in the form in which requests offer them.
import { expect, it } from 'vitest';
import { toTool } from '../../lib/tool-calls/index.js';

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tool = { type: 'function', function: { name: 'find', description: 'Finds it.', parameters } };

it.each<[string, unknown, object]>([
  ['as requests have them', tool, tool],
  ['without the type', { function: tool.function }, tool],
  ['without what is around them', { ...tool.function, title: 'Find', strict: null }, tool],
  ["as Anthropic's API has them", { name: 'find', description: 'Finds it.', input_schema: parameters }, tool],
  ['as MCP servers have them', { name: 'find', description: 'Finds it.', inputSchema: parameters }, tool],
  [
    'with empty fields',
    {
      type: null,
      name: null,
      input_schema: null,
      function: { name: 'stop', description: null, parameters: null, strict: true },
    },
    { type: 'function', function: { name: 'stop', strict: true } },
  ],
  [
    'with fields of their own',
    { ...tool, function: { ...tool.function, returns: 'a place' } },
    { ...tool, function: { ...tool.function, returns: 'a place' } },
  ],
])('%s', (_, given, read) => {
  expect(JSON.stringify(toTool(given))).toBe(JSON.stringify(read));
});

it.each([null, 'find', {}, { function: 'find' }, { function: {} }])('not %j, which is none', given => {
  expect(toTool(given)).toBe(given);
});
