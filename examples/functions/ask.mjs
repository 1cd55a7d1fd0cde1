// Asks an endpoint with the AI SDK, and does what it calls: npm install ai @ai-sdk/openai-compatible
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { functions } from './functions.mjs';

const { BASE_URL, API_KEY } = process.env;
const house = createOpenAICompatible({ name: 'house', baseURL: BASE_URL, apiKey: API_KEY });

const { text, toolCalls } = await generateText({
  model: house('functions'),
  prompt: process.argv.slice(2).join(' '),
  temperature: 0,
  tools: Object.fromEntries(
    Object.entries(functions).map(([name, { description, parameters }]) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(parameters),
        execute: given => {
          console.log(`${name}(${JSON.stringify(given)})`);
          return 'done';
        },
      }),
    ]),
  ),
  // The calls are all that is wanted: the results are not told to the model.
  stopWhen: stepCountIs(1),
});
if (toolCalls.length === 0) console.log(text);
