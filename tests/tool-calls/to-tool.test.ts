// Functions as data sets have them, in the form in which requests offer them.
import { expect, it } from 'vitest';
import { chatTool } from '../../lib/contract/formats/chat.js';
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
    'with fields of their own, and in another order',
    { id: 1, function: { return: 'a place', parameters, description: 'Finds it.', name: 'find' } },
    tool,
  ],
])('%s', (_, given, read) => {
  const form = JSON.stringify(toTool(given));
  expect(form).toBe(JSON.stringify(read));
  expect(JSON.stringify(chatTool.parse(JSON.parse(form)))).toBe(form);
});

it.each([null, 'find', {}, { function: 'find' }, { function: {} }])('not %j, which is none', given => {
  expect(toTool(given)).toBe(given);
});
