// What promptfoo evaluates: each way in which it calls OpenAI's API, with assertions of its own.

const TICKET = {
  type: 'object',
  properties: {
    team: { enum: ['billing', 'support'] },
    urgency: { type: 'integer', minimum: 1, maximum: 5 },
  },
  required: ['team', 'urgency'],
  additionalProperties: false,
};

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', maxLength: 20 } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};

export interface Evaluation {
  prompts: string[];
  providers: { id: string; label: string; config: object }[];
  tests: { vars: object; providers: string[]; assert: object[] }[];
}

/** Its tests, one for each provider, named by their labels. */
export function evaluationOf(model: string): Evaluation {
  const short = { temperature: 0, max_tokens: 24 };
  const schema = { name: 'ticket', strict: true, schema: TICKET };
  const cases: [label: string, kind: string, config: object, assert: object[]][] = [
    ['chat', 'chat', short, [{ type: 'javascript', value: 'output.length > 0' }]],
    [
      'schema',
      'chat',
      { temperature: 1, max_tokens: 200, response_format: { type: 'json_schema', json_schema: schema } },
      [{ type: 'is-json', value: TICKET }],
    ],
    [
      'tools',
      'chat',
      // One call always ends within 200 tokens; a number of calls that the model draws may not.
      {
        temperature: 1,
        max_tokens: 200,
        tools: [WEATHER],
        tool_choice: 'required',
        parallel_tool_calls: false,
      },
      [{ type: 'is-valid-openai-tools-call' }],
    ],
    [
      'responses',
      'responses',
      { temperature: 0, max_output_tokens: 24 },
      [{ type: 'not-equals', value: '' }],
    ],
    ['completions', 'completion', short, [{ type: 'not-equals', value: '' }]],
    [
      'embeddings',
      'chat',
      short,
      [{ type: 'similar', value: 'Hello.', threshold: -1, provider: `openai:embedding:${model}` }],
    ],
  ];
  return {
    prompts: ['Where is my {{what}}'],
    providers: cases.map(([label, kind, config]) => ({ id: `openai:${kind}:${model}`, label, config })),
    tests: cases.map(([label, kind, , assert]) => ({
      // A text may end after a question, but not in the middle of a sentence.
      vars: { what: kind === 'completion' ? 'parcel? It is in the' : 'parcel?' },
      providers: [label],
      assert,
    })),
  };
}
