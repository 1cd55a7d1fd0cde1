import type { Client } from '../client.js';

export const OPENAI_NODE: Client = {
  name: '`openai` for Node.js',
  environment: 'node',
  package: 'openai',
  firstExample: `
import assert from 'node:assert/strict';
import OpenAI from 'openai';
const client = new OpenAI();
const response = await client.responses.create({
  model: 'gpt-5.2',
  instructions: 'You are a coding assistant that talks like a pirate',
  input: 'Are semicolons optional in JavaScript?',
});
assert(response.output_text);`,
  setup: `
import assert from 'node:assert/strict';
import OpenAI, { toFile } from 'openai';
import * as z from 'zod';

const client = new OpenAI();
const model = process.env.MODEL;
const messages = [{ role: 'user', content: 'Where is my parcel?' }];
const chat = { model, messages, max_completion_tokens: 200 };
const respond = { model, max_output_tokens: 200 };
const Ticket = z.object({
  team: z.enum(['billing', 'support']),
  urgency: z.int().min(1).max(5),
  email: z.email(),
  id: z.uuid(),
  at: z.iso.datetime(),
  code: z.string().regex(/^[A-Z]{2}-\\d{3}$/),
});`,
  calls: {
    '`models.list` and `.retrieve`': `
const ids = [];
for await (const { id } of client.models.list()) ids.push(id);
assert.equal((await client.models.retrieve(ids[0])).id, model);`,
    '`chat.completions.create`': `
const completion = await client.chat.completions.create(chat);
assert(completion.choices[0].message.content);`,
    streamed: `
let text = '';
for await (const { choices } of await client.chat.completions.create({ ...chat, stream: true }))
  text += choices[0]?.delta?.content ?? '';
assert(text);`,
    '`.stream`': `
const stream = client.chat.completions.stream(chat);
let text = '';
stream.on('content', delta => { text += delta; });
assert.equal(await stream.finalContent(), text);`,
    '`.parse` with zod': `
import { zodResponseFormat } from 'openai/helpers/zod';
const response_format = zodResponseFormat(Ticket, 'ticket');
const completion = await client.chat.completions.parse({ ...chat, max_completion_tokens: 600, response_format });
Ticket.parse(completion.choices[0].message.parsed);`,
    '`.runTools`': `
import { zodFunction } from 'openai/helpers/zod';
const cities = [];
const weather = zodFunction({
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  function: ({ city }) => { cities.push(city); return 'sunny'; },
});
const tool_choice = { type: 'function', function: { name: 'get_weather' } };
const runner = client.chat.completions.runTools({ ...chat, tools: [weather], tool_choice });
await runner.done();
assert.equal(cities.length, 1);`,
    '`responses.create`': `
const first = await client.responses.create({ ...respond, instructions: 'Be brief.', input: 'Where is my parcel?' });
assert(first.output_text);
`,
    '`previous_response_id`': `
const first = await client.responses.create({ ...respond, input: 'Where is my parcel?' });
const second = await client.responses.create({ ...respond, input: 'And now?', previous_response_id: first.id });
assert(second.output_text);`,
    '`responses.retrieve`, `.inputItems.list` and `.delete`': `
const { id } = await client.responses.create({ ...respond, input: 'Where is my parcel?' });
assert.equal((await client.responses.retrieve(id)).id, id);
assert.equal((await client.responses.inputItems.list(id)).data.length, 1);
await client.responses.delete(id);
await assert.rejects(client.responses.retrieve(id), OpenAI.NotFoundError);`,
    '`conversations`': `
const { id } = await client.conversations.create();
for (const input of ['Where is my parcel?', 'And now?'])
  assert((await client.responses.create({ ...respond, input, conversation: id })).output_text);
assert.equal((await client.conversations.items.list(id)).data.length, 4);
assert((await client.conversations.delete(id)).deleted);`,
    '`chat.completions.list` of stored ones': `
const { id } = await client.chat.completions.create({ ...chat, store: true, metadata: { of: 'clients' } });
const { data } = await client.chat.completions.list({ metadata: { of: 'clients' } });
assert.deepEqual(data.map(one => one.id), [id]);
assert((await client.chat.completions.delete(id)).deleted);`,
    '`.stream` and `.parse` of responses': `
import { zodTextFormat } from 'openai/helpers/zod';
const stream = client.responses.stream({ ...respond, input: 'Where is my parcel?' });
let text = '';
stream.on('response.output_text.delta', ({ delta }) => { text += delta; });
const [message] = (await stream.finalResponse()).output;
assert.equal(message.content[0].text, text);
const format = zodTextFormat(Ticket, 'ticket');
const parsed = await client.responses.parse({ ...respond, max_output_tokens: 600, input: 'A ticket.', text: { format } });
Ticket.parse(parsed.output_parsed);`,
    '`completions.create`': `
const { usage } = await client.completions.create({ model, prompt: 'Once', max_tokens: 4 });
assert(usage.completion_tokens <= 4);`,
    '`embeddings.create`': `
const { data } = await client.embeddings.create({ model, input: ['parcel', 'refund'] });
assert(Math.abs(Math.hypot(...data[0].embedding) - 1) < 1e-3);`,
    '`files`': `
const row = JSON.stringify({ messages: [{ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' }] });
const file = await client.files.create({ file: await toFile(Buffer.from(row), 'rows.jsonl'), purpose: 'fine-tune' });
assert.equal((await client.files.waitForProcessing(file.id)).status, 'processed');
assert.equal(await (await client.files.content(file.id)).text(), row);
assert((await client.files.delete(file.id)).deleted);`,
    '`batches`': `
import { setTimeout } from 'node:timers/promises';
const lines = ['a', 'b'].map(custom_id =>
  JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body: { model, messages, max_tokens: 8 } }));
const input = await client.files.create({ file: await toFile(Buffer.from(lines.join('\\n')), 'in.jsonl'), purpose: 'batch' });
let batch = await client.batches.create({ input_file_id: input.id, endpoint: '/v1/chat/completions', completion_window: '24h' });
while (!['completed', 'failed', 'expired', 'cancelled'].includes(batch.status)) {
  await setTimeout(200);
  batch = await client.batches.retrieve(batch.id);
}
const answers = (await (await client.files.content(batch.output_file_id)).text()).trim().split('\\n').map(JSON.parse);
assert.deepEqual(answers.map(answer => answer.custom_id).sort(), ['a', 'b']);
assert(answers.every(answer => answer.response.body.choices.length === 1));`,
    '`fineTuning.jobs`': `
import { setTimeout } from 'node:timers/promises';
const rows = Array.from({ length: 24 }, (_, i) => ({
  messages: [{ role: 'user', content: 'ping ' + i }, { role: 'assistant', content: 'pong ' + i }],
}));
const text = rows.map(row => JSON.stringify(row)).join('\\n');
const file = await client.files.create({ file: await toFile(Buffer.from(text), 'rows.jsonl'), purpose: 'fine-tune' });
let job = await client.fineTuning.jobs.create({ model, training_file: file.id, hyperparameters: { n_epochs: 1 } });
assert(job.id.startsWith('ftjob-'));
while (!['succeeded', 'failed', 'cancelled'].includes(job.status)) {
  await setTimeout(500);
  job = await client.fineTuning.jobs.retrieve(job.id);
}
assert.equal(job.status, 'succeeded');
assert((await client.fineTuning.jobs.listEvents(job.id)).data.length > 0);
assert.equal((await client.fineTuning.jobs.checkpoints.list(job.id)).data.length, 1);
assert((await client.models.delete(job.fine_tuned_model)).deleted);`,
    errors: `
const wrong = new OpenAI({ apiKey: 'wrong', maxRetries: 0 });
await assert.rejects(wrong.models.list(), OpenAI.AuthenticationError);
await assert.rejects(client.chat.completions.create({ model: 'gpt-5', messages }), OpenAI.NotFoundError);`,
    '100 chats at once with its retries': `
const ask = () => client.chat.completions.create({ ...chat, max_completion_tokens: 8 });
await Promise.all(Array.from({ length: 100 }, ask));`,
  },
};
