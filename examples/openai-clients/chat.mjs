// Calls an endpoint with the official client for Node: at once, and in a stream.
import OpenAI from 'openai';

const {
  BASE_URL: baseURL,
  API_KEY: apiKey = 'not-required',
  MODEL: model = 'svc/tiny-instruct',
} = process.env;
const client = new OpenAI({ baseURL, apiKey });
const messages = [{ role: 'user', content: process.argv[2] ?? 'What are you?' }];

const whole = await client.chat.completions.create({ model, messages, temperature: 0 });
console.log(whole.choices[0].message.content);

const stream = await client.chat.completions.create({ model, messages, temperature: 0, stream: true });
for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? '');
process.stdout.write('\n');
