// Fine-tunes with OpenAI's client, as its guide does: upload, create, poll, chat.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import OpenAI from 'openai';

// The only line that differs: without `baseURL`, this is a script for OpenAI.
const client = new OpenAI({ baseURL: process.env.BASE_URL ?? 'http://localhost:4100/openai/v1' });

const { MODEL: model = 'svc/tiny-instruct', EPOCHS = '3' } = process.env;
const data = name => new URL(`../support-triage/data/${name}.jsonl`, import.meta.url);
const upload = name => client.files.create({ file: createReadStream(data(name)), purpose: 'fine-tune' });

const [training, validation] = [await upload('train'), await upload('held-out')];
let job = await client.fineTuning.jobs.create({
  model,
  training_file: training.id,
  validation_file: validation.id,
  suffix: 'triage',
  method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: Number(EPOCHS) } } },
});

let seen;
while (!['succeeded', 'failed', 'cancelled'].includes(job.status)) {
  await pause(1000);
  job = await client.fineTuning.jobs.retrieve(job.id);
  const [latest] = (await client.fineTuning.jobs.listEvents(job.id, { limit: 1 })).data;
  if (latest && latest.id !== seen) console.log(latest.message);
  seen = latest?.id;
}
if (job.status !== 'succeeded') throw new Error(job.error?.message ?? `The job is ${job.status}.`);

const results = await client.files.content(job.result_files[0]);
console.log((await results.text()).trim().split('\n').at(-1));

const [row] = (await readFile(data('held-out'), 'utf8')).split('\n');
const question = JSON.parse(row).messages.filter(({ role }) => role !== 'assistant');
const answer = await client.chat.completions.create({
  model: job.fine_tuned_model,
  messages: question,
  temperature: 0,
});
console.log(`${job.fine_tuned_model} says: ${answer.choices[0].message.content}`);
