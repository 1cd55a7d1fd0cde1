// svc chat: one answer, and whole conversations at a terminal, against a cloud in memory.
import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ApiError,
  type InferenceRequest,
  NO_CHAT_TEMPLATE,
  type ServedModel,
} from '../../../lib/contract/index.js';
import { answerChat } from '../../support/fake-cloud/chat.js';
import { GOOD_KEY } from '../../support/fake-cloud/edge.js';
import { emptyState } from '../../support/fake-cloud/state.js';
import { sampleModelFacts } from '../../support/sample-overview.js';
import { sampleDeployment } from '../../support/samples.js';
import { until } from '../../support/until.js';
import { failure, jsonLines, projectOfEach } from '../support/project.js';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

const project = projectOfEach({ isLinked: true });
const { svc, json, print } = project;
beforeEach(() => void project.addJob());

function addEndpoint(authMode: 'fixed_api_key' | 'none'): void {
  const { url, deployments } = project.cloud;
  deployments.push(sampleDeployment({ pathUrl: `${url}/d/demo`, authMode }));
}

describe('one message', () => {
  it('is answered as text, or in the format of the API for scripts', async () => {
    const stdout = '1: Hello there\n';
    expect(await svc(['chat', '--job', '1a2b', 'Hello there'])).toEqual({ exitCode: 0, stdout, stderr: '' });
    expect(await json('chat Hi')).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: '1: Hi' } }],
    });
  });

  it('is answered by an endpoint, over HTTP and with its key', async () => {
    addEndpoint('fixed_api_key');
    const words = `chat --endpoint demo --key ${GOOD_KEY} Hi`;
    expect(await print(words)).toBe('1: Hi\n');
    expect(project.cloud.calls.at(-1)).toBe('POST /d/demo/v1/chat/completions');
    expect((await json(words)).choices[0].message.content).toBe('1: Hi');
    const stderr = 'svc: The API key is not valid.\n';
    expect(await svc('chat --endpoint demo --key wrong Hi')).toEqual({ exitCode: 1, stdout: '', stderr });
  });

  it('is written without what could steer the terminal', async () => {
    expect(await print('chat a\u0007b\u001b[2Jc')).toBe('1: abc\n');
  });

  it('is taken from what is piped in, without its last line feed, unless one is given', async () => {
    const piped = 'two\nlines\n';
    const stdout = '1: two\nlines\n';
    expect(await svc('chat', { piped })).toEqual({ exitCode: 0, stdout, stderr: '' });
    expect(JSON.parse((await svc('chat --json', { piped })).stdout)).toMatchObject({
      choices: [{ message: { content: '1: two\nlines' } }],
    });
    expect((await svc('chat given', { piped })).stdout).toBe('1: given\n');
  });
});

describe('the base model', () => {
  const sent: InferenceRequest[] = [];
  const own = projectOfEach({
    isLinked: true,
    routes: {
      getCloud: () => ({ version: '9.9.9', baseModel: 'test/new', deploymentDomain: 'd', proof: null }),
      chat({ body }: { body: InferenceRequest }) {
        sent.push(body);
        return answerChat(emptyState(), body.messages, body.stream);
      },
    },
  });

  it('is the one that the cloud has now', async () => {
    expect(await own.print('chat Hi')).toBe('1: Hi\n');
    expect(sent).toMatchObject([{ baseModel: 'test/new' }]);
  });
});

describe('with what the cloud says of the base model', () => {
  const sent: InferenceRequest[] = [];
  let answer = () => {};
  const own = projectOfEach({
    isLinked: true,
    routes: {
      getBaseModel: () => ({ baseModel: { name: 'svc/tiny', ...said } }),
      async chat({ body }: { body: InferenceRequest }) {
        sent.push(body);
        if (said.preparing) await new Promise<void>(resolve => (answer = resolve));
        return answerChat(emptyState(), body.messages, body.stream);
      },
    },
  });
  let said: Pick<ServedModel, 'facts' | 'preparing'>;
  beforeEach(() => {
    sent.length = 0;
    said = { facts: null, preparing: null };
  });

  it('an answer is sampled as its files recommend, or at 0.7, unless options say otherwise', async () => {
    await own.svc('chat Hi');
    said.facts = { ...sampleModelFacts, sampling: { temperature: 0.6, topK: 20 } };
    await own.svc('chat Hi');
    await own.svc('chat --temperature 1 --top-p 0.5 Hi');
    expect(sent).toMatchObject([
      { temperature: 0.7 },
      { temperature: 0.6, topK: 20 },
      { temperature: 1, topP: 0.5, topK: 20 },
    ]);
    expect(sent[0]).not.toHaveProperty('topK');
  });

  it('a first answer says what it waits for, beside the answer', async () => {
    said.preparing = 'Comparing weights.';
    const call = own.start('chat Hi');
    await until(() => call.stderr).toContain('Comparing weights.\n');
    await until(() => sent.length).toBe(1);
    answer();
    expect(await call.done).toMatchObject({ stdout: '1: Hi\n', stderr: 'Comparing weights.\n' });
  });

  it('a conversation begins with what the model cannot do', async () => {
    said.facts = { ...sampleModelFacts, hasChatTemplate: false };
    const call = own.atTerminal('chat');
    await call.shown('› ');
    expect(call.stderr).toBe(`${NO_CHAT_TEMPLATE}\n`);
    call.type(CTRL_D);
    await call.done;
  });
});

describe('in a folder without a project', () => {
  const plain = projectOfEach();
  const broken = projectOfEach({
    routes: {
      chat: () => {
        throw new ApiError('engine_unavailable', 'The model of this cloud cannot be opened.');
      },
    },
  });

  it('the base model answers, too', async () => {
    expect((await plain.svc('chat Hi')).stdout).toBe('1: Hi\n');
  });

  it('nobody is told to try again in a moment when the cloud can never answer', async () => {
    const stderr = 'svc: The model of this cloud cannot be opened.\n';
    expect(await broken.svc('chat Hi')).toEqual({ exitCode: 1, stdout: '', stderr });
  });
});

/** At a terminal, as soon as one can type. */
async function converse(...options: string[]) {
  const call = project.atTerminal(['chat', ...options]);
  await call.shown('› ');
  return {
    call,
    async says(line: string, answer: string) {
      call.type(`${line}\r`);
      await call.shown(answer);
    },
    /** Its exit code. */
    async typed(keys: string) {
      call.type(keys);
      return (await call.done).exitCode;
    },
  };
}

describe('answers that are saved', () => {
  const rowsOf = (name: string) => jsonLines(readFileSync(project.path(name), 'utf8'));
  const pair = (question: string, answer: string) => [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ];

  it('are appended as rows, after what the file has', async () => {
    await project.write('rows.jsonl', '{"text":"mine"}');
    await svc('chat Hi --save rows.jsonl');
    await svc('chat Ho --json --save rows.jsonl');
    expect(rowsOf('rows.jsonl')).toEqual([
      { text: 'mine' },
      { messages: pair('Hi', '1: Hi') },
      { messages: pair('Ho', '1: Ho') },
    ]);
    expect(await svc('chat Hi --save .')).toMatchObject(failure(1, 'svc: Could not write .: '));
  });

  it('of a conversation have what was said before, which is not learned again', async () => {
    const talk = await converse('--save', 'new/rows.jsonl');
    await talk.says('first', '1: first\n');
    await talk.says('second', '3: second\n');
    await talk.typed(CTRL_D);
    const [question, answer] = pair('first', '1: first');
    expect(rowsOf('new/rows.jsonl')).toEqual([
      { messages: [question, answer] },
      { messages: [question, { ...answer, weight: 0 }, ...pair('second', '3: second')] },
    ]);
  });

  it('are remembered in the conversation, too, when they cannot be written', async () => {
    const talk = await converse('--save', '.');
    for (const [line, answer] of [
      ['first', '1: first\n'],
      ['second', '3: second\n'],
    ] as const)
      await talk.says(line, `${answer}svc: Could not write .: `);
    expect(await talk.typed(CTRL_D)).toBe(0);
  });

  it('do not include one that was stopped, after which the conversation goes on', async () => {
    project.cloud.hangs = true;
    const talk = await converse('--save', 'rows.jsonl');
    await talk.says('long one', '1: ');
    talk.call.type(CTRL_C);
    await talk.call.shown('Press Ctrl-C again to quit.\n');
    expect(existsSync(project.path('rows.jsonl'))).toBe(false);
    project.cloud.hangs = false;
    await talk.says('next', '3: next\n');
    expect(await talk.typed(CTRL_D)).toBe(0);
    expect(rowsOf('rows.jsonl')).toHaveLength(1);
  });
});

describe('a conversation', () => {
  it('remembers what was said, until Ctrl-D', async () => {
    const talk = await converse('--job', '1a2b');
    await talk.call.shown('Final adapter (job 1a2b3c4d). Press Ctrl-C to stop an answer');
    await talk.says('first', '1: first\n');
    await talk.says('second', '3: second\n');
    expect(await talk.typed(CTRL_D)).toBe(0);
    expect(project.cloud.chats.at(-1)).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: '1: first' },
      { role: 'user', content: 'second' },
    ]);
  });

  it('takes what is typed during an answer as the next line, and does not echo it', async () => {
    project.cloud.hangs = true;
    const talk = await converse();
    await talk.says('first', '1: ');
    talk.call.type('early\r');
    project.cloud.hangs = false;
    talk.call.type(CTRL_C);
    await talk.call.shown('3: early\n');
    expect(talk.call.stdout.split('early')).toHaveLength(2);
    await talk.typed(CTRL_D);
  });

  it('ends with Ctrl-C twice, in an answer and at the prompt', async () => {
    project.cloud.hangs = true;
    const answering = await converse();
    await answering.says('long one', '1: ');
    answering.call.type(CTRL_C);
    expect(await answering.typed(CTRL_C)).toBe(130);

    const waiting = await converse();
    waiting.call.type(`half a line${CTRL_C}`);
    await waiting.call.shown('Press Ctrl-C again to quit.\n');
    expect(await waiting.typed(CTRL_C)).toBe(130);
    expect(project.cloud.chats).toHaveLength(1);
  });

  it('goes on after an error, which is told, with an endpoint that needs no key', async () => {
    addEndpoint('none');
    const talk = await converse('--endpoint', 'demo');
    await talk.call.shown('Endpoint demo');
    project.cloud.deployments[0]!.enabled = false;
    await talk.says('first', 'svc: There is no such deployment.\n');
    project.cloud.deployments[0]!.enabled = true;
    await talk.says('second', '1: second\n');
    expect(await talk.typed(CTRL_D)).toBe(0);
  });

  it('is not begun where CI runs', async () => {
    expect((await svc('chat', { env: { CI: 'true' }, isTTY: true })).exitCode).toBe(2);
  });
});
