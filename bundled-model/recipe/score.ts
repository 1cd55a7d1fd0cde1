// `npm run base-model:score`: scores the base model on conversations with held-out wordings and values, family by
// family, and prints its answers to a few questions.
import { parseArgs } from 'node:util';
import { baseModelFolder } from '../../lib/base-model/index.js';
import { type ServingProcess, startServing } from '../../lib/engine/index.js';
import { openModel } from '../../lib/engine/model/index.js';
import { openText } from '../../lib/engine/text/index.js';
import { type Conversation, families, makeOfFamily } from '../corpus/index.js';
import { LONGEST, SEED } from './settings.js';
import { createTokenAccuracy } from './token-accuracy.js';

const { values: args } = parseArgs({
  options: {
    model: { type: 'string', default: baseModelFolder() },
    rows: { type: 'string', default: '60' },
    show: { type: 'string', default: '0' },
  },
});
const rows = Number(args.rows);

const text = await openText(args.model);
const accuracy = await createTokenAccuracy(await openModel(args.model), LONGEST);
const serving = startServing({ modelFolder: args.model, maxBatch: 8, queueLimit: 10_000 });

print('| family | exact match | token accuracy |\n|---|---|---|');
for (const family of families) {
  const conversations = Array.from({ length: rows }, (_, i) => makeOfFamily(family, 'held-out', SEED, i));
  const short = conversations.filter(({ messages }) => encode(messages).ids.length <= LONGEST);
  const answers = await Promise.all(short.map(({ messages }) => answer(serving, messages.slice(0, -1))));
  const exact = answers.filter((given, i) => given.trim() === expected(short[i]!)).length;
  const counts = { right: 0, all: 0 };
  for (const { messages } of short) {
    const { right, all } = await accuracy.count(encode(messages));
    counts.right += right;
    counts.all += all;
  }
  print(`| ${family.name} | ${percent(exact / short.length)} | ${percent(counts.right / counts.all)} |`);
  for (let i = 0; i < Number(args.show); i++) {
    const { messages } = short[i]!;
    print(
      `  > ${JSON.stringify(messages.at(-2)!.content)}\n  = ${JSON.stringify(expected(short[i]!))}\n  < ${JSON.stringify(answers[i])}`,
    );
  }
}
for (const question of ['Hello!', 'What are you?', 'My order 4821 has not arrived. What can I do?']) {
  print(`\n> ${question}\n< ${await answer(serving, [{ role: 'user', content: question }])}`);
}
await Promise.all([serving.close(), accuracy.close()]);

function encode(messages: Conversation['messages']) {
  return text.encodeRow({ messages }, { trainOn: 'assistant' });
}

function expected({ messages }: Conversation): string {
  return messages.at(-1)!.content.trim();
}

async function answer(model: ServingProcess, messages: Conversation['messages']): Promise<string> {
  let answer = '';
  const task = {
    messages: messages.map(turn => ({ ...turn })),
    adapterFolder: null,
    temperature: 0,
    maxTokens: 200,
  };
  for await (const piece of model.ask('chat', task)) answer += piece.text;
  return answer;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
