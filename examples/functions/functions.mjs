// What the house can do. The rows to learn from, the tests and the program that asks have their functions from here.
const room = { type: 'string', enum: ['kitchen', 'bedroom', 'hall', 'bathroom', 'office', 'garden'] };

export const functions = {
  set_light: {
    description: 'Switches the light of a room.',
    parameters: {
      type: 'object',
      properties: {
        room,
        on: { type: 'boolean' },
        brightness: { type: 'integer', minimum: 1, maximum: 100 },
      },
      required: ['room', 'on'],
      additionalProperties: false,
    },
  },
  set_heating: {
    description: 'Sets the temperature of a room.',
    parameters: {
      type: 'object',
      properties: { room, degrees: { type: 'integer' } },
      required: ['room', 'degrees'],
      additionalProperties: false,
    },
  },
  start_timer: {
    description: 'Starts a timer.',
    parameters: {
      type: 'object',
      properties: { minutes: { type: 'integer' }, label: { type: 'string' } },
      required: ['minutes'],
      additionalProperties: false,
    },
  },
  add_to_list: {
    description: 'Adds to the shopping list.',
    parameters: {
      type: 'object',
      properties: { item: { type: 'string' }, amount: { type: 'integer' } },
      required: ['item', 'amount'],
      additionalProperties: false,
    },
  },
};

export const tools = Object.entries(functions).map(([name, about]) => ({
  type: 'function',
  function: { name, ...about },
}));
