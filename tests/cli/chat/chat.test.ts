// svc chat: one answer, and whole conversations at a terminal, against a cloud in memory.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../lib/contract/index.js';
import { GOOD_KEY } from '../../support/fake-cloud/edge.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleDeployment, sampleJob } from '../../support/samples.js';
import { callCli, startCli } from '../support/terminal.js';

const JOB = '1a2b3c4d-0000-4000-8000-000000000001';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

let cloud: FakeCloud;
let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  ({ cloud } = project);
  await project.link();
  cloud.jobs.push({ job: sampleJob({ id: JOB, status: 'completed' }), events: [], archives: {} });
});
afterEach(() => project.close());

const svc = (...argv: string[]) => callCli(argv, project);
const atTerminal = (...argv: string[]) =>
  startCli(argv, { cwd: project.cwd, env: { ...project.env, NO_COLOR: '1' }, isTTY: true, columns: 80 });

describe('one message', () => {
  it('is answered as text', async () => {
    expect(await svc('chat', '--job', '1a2b', 'Hello there')).toEqual({
      exitCode: 0,
      stdout: '1: Hello there\n',
      stderr: '',
    });
  });

  it('is answered in the format of the API for scripts', async () => {
    const { stdout } = await svc('chat', 'Hi', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: '1: Hi' } }],
    });
  });

  it('is answered by the base model, in a folder without a project, too', async () => {
    const other = await openRemoteProject();
    const { stdout } = await callCli(['chat', 'Hi'], other);
    await other.close();
    expect(stdout).toBe('1: Hi\n');
  });

  it('is not to be tried again in a moment when the cloud can never answer', async () => {
    const other = await openRemoteProject({
      chat: () => {
        throw new ApiError('engine_unavailable', 'The model of this cloud cannot be opened.');
      },
    });
    const { exitCode, stderr } = await callCli(['chat', 'Hi'], other);
    await other.close();
    expect(exitCode).toBe(1);
    expect(stderr).toBe('svc: The model of this cloud cannot be opened.\n');
  });

  it('is answered by an endpoint, over HTTP and with its key', async () => {
    cloud.deployments.push(sampleDeployment({ pathUrl: `${cloud.url}/d/demo` }));
    expect((await svc('chat', '--endpoint', 'demo', '--key', GOOD_KEY, 'Hi')).stdout).toBe('1: Hi\n');
    expect(cloud.calls.at(-1)).toBe('POST /d/demo/v1/chat/completions');
    const json = await svc('chat', '--endpoint', 'demo', '--key', GOOD_KEY, 'Hi', '--json');
    expect(JSON.parse(json.stdout).choices[0].message.content).toBe('1: Hi');
  });

  it('needs no key where the endpoint needs none', async () => {
    cloud.deployments.push(sampleDeployment({ pathUrl: `${cloud.url}/d/demo`, authMode: 'none' }));
    expect((await svc('chat', '--endpoint', 'demo', 'Hi')).stdout).toBe('1: Hi\n');
  });

  it('tells what the endpoint says of a wrong key', async () => {
    cloud.deployments.push(sampleDeployment({ pathUrl: `${cloud.url}/d/demo` }));
    expect(await svc('chat', '--endpoint', 'demo', '--key', 'wrong', 'Hi')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'svc: The API key is not valid.\n',
    });
  });

  it('is written without what could steer the terminal', async () => {
    expect((await svc('chat', 'a\u0007b\u001b[2Jc')).stdout).toBe('1: abc\n');
  });

  it.each([
    [['chat'], 'missing MESSAGE: nothing was piped in.'],
    [['chat', '--json'], 'missing MESSAGE: nothing was piped in.'],
    [['chat', ''], 'MESSAGE is empty.'],
    [['chat', ' '], 'MESSAGE is empty.'],
    [['chat', '--temperature', '3', 'Hi'], 'option "--temperature" must be at most 2.'],
    [['chat', '--temperature=-1', 'Hi'], 'option "--temperature" must be at least 0.'],
    [['chat', '--top-p', '5', 'Hi'], 'option "--top-p" must be at most 1.'],
    [['chat', '--max-tokens', '0', 'Hi'], 'option "--max-tokens" must be at least 1.'],
    [['chat', '--seed', 'x', 'Hi'], 'option "--seed" must be a whole number.'],
    [['chat', '--endpoint', 'demo', '--job', JOB, 'Hi'], 'cannot be combined with "--job" or "--step"'],
    [['chat', '--key', 'k', 'Hi'], 'option "--key" requires "--endpoint".'],
    [['chat', '--step', '3', 'Hi'], 'option "--step" requires "--job".'],
    [['chat', '--temperature', 'hot', 'Hi'], 'option "--temperature" must be a number.'],
  ])('refuses %j', async (argv, complaint) => {
    const { exitCode, stderr } = await svc(...argv);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(complaint);
  });

  it('is taken from what is piped in, without its last line feed', async () => {
    const options = { cwd: project.cwd, env: project.env, piped: 'two\nlines\n' };
    expect(await callCli(['chat'], options)).toEqual({ exitCode: 0, stdout: '1: two\nlines\n', stderr: '' });
    expect(JSON.parse((await callCli(['chat', '--json'], options)).stdout)).toMatchObject({
      choices: [{ message: { content: '1: two\nlines' } }],
    });
  });

  it('that is given goes before what is piped in', async () => {
    const options = { cwd: project.cwd, env: project.env, piped: 'piped' };
    expect((await callCli(['chat', 'given'], options)).stdout).toBe('1: given\n');
  });
});

describe('answers that are saved', () => {
  const rowsOf = async (name: string) =>
    (await readFile(join(project.cwd, name), 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
  const pair = (question: string, answer: string) => [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ];

  it('are appended as rows, after what the file has', async () => {
    await project.write('rows.jsonl', '{"text":"mine"}');
    await svc('chat', 'Hi', '--save', 'rows.jsonl');
    await svc('chat', 'Ho', '--json', '--save', 'rows.jsonl');
    expect(await rowsOf('rows.jsonl')).toEqual([
      { text: 'mine' },
      { messages: pair('Hi', '1: Hi') },
      { messages: pair('Ho', '1: Ho') },
    ]);
  });

  it('of a conversation have what was said before, which is not learned again', async () => {
    const call = atTerminal('chat', '--save', 'new/rows.jsonl');
    await call.shown('› ');
    call.type('first\r');
    await call.shown('1: first\n');
    call.type('second\r');
    await call.shown('3: second\n');
    call.type(CTRL_D);
    await call.done;
    const [question, answer] = pair('first', '1: first');
    expect(await rowsOf('new/rows.jsonl')).toEqual([
      { messages: [question, answer] },
      { messages: [question, { ...answer, weight: 0 }, ...pair('second', '3: second')] },
    ]);
  });

  it('do not include one that was stopped', async () => {
    cloud.hangs = true;
    const call = atTerminal('chat', '--save', 'rows.jsonl');
    await call.shown('› ');
    call.type('long one\r');
    await call.shown('1: ');
    call.type(CTRL_C);
    await call.shown('Press Ctrl-C again to quit.\n');
    call.type(CTRL_D);
    await call.done;
    await expect(rowsOf('rows.jsonl')).rejects.toThrow('ENOENT');
  });

  it('cannot go where nothing can be written', async () => {
    const { exitCode, stderr } = await svc('chat', 'Hi', '--save', '.');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('svc: cannot save to .: ')]);
  });
});

describe('a conversation', () => {
  it('remembers what was said, until Ctrl-D', async () => {
    const call = atTerminal('chat', '--job', '1a2b');
    await call.shown('Final adapter (job 1a2b3c4d). Press Ctrl-C to stop an answer');
    call.type('first\r');
    await call.shown('1: first\n');
    call.type('second\r');
    await call.shown('3: second\n');
    call.type(CTRL_D);
    expect((await call.done).exitCode).toBe(0);
    expect(cloud.chats.at(-1)).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: '1: first' },
      { role: 'user', content: 'second' },
    ]);
  });

  it('takes what is typed during an answer as the next line, and does not echo it', async () => {
    cloud.hangs = true;
    const call = atTerminal('chat');
    await call.shown('› ');
    call.type('first\r');
    await call.shown('1: ');
    call.type('early\r');
    cloud.hangs = false;
    call.type(CTRL_C);
    await call.shown('3: early\n');
    expect(call.stdout.split('early')).toHaveLength(2);
    call.type(CTRL_D);
    await call.done;
  });

  it('goes on when an answer is stopped by Ctrl-C', async () => {
    cloud.hangs = true;
    const call = atTerminal('chat');
    await call.shown('› ');
    call.type('long one\r');
    await call.shown('1: ');
    call.type(CTRL_C);
    await call.shown('Press Ctrl-C again to quit.\n');
    cloud.hangs = false;
    call.type('next\r');
    await call.shown('3: next\n');
    call.type(CTRL_D);
    expect((await call.done).exitCode).toBe(0);
  });

  it('ends with Ctrl-C twice, in an answer and at the prompt', async () => {
    cloud.hangs = true;
    const answering = atTerminal('chat');
    await answering.shown('› ');
    answering.type('long one\r');
    await answering.shown('1: ');
    answering.type(CTRL_C);
    answering.type(CTRL_C);
    expect((await answering.done).exitCode).toBe(130);

    const waiting = atTerminal('chat');
    await waiting.shown('› ');
    waiting.type(`half a line${CTRL_C}`);
    await waiting.shown('Press Ctrl-C again to quit.\n');
    waiting.type(CTRL_C);
    expect((await waiting.done).exitCode).toBe(130);
    expect(cloud.chats).toHaveLength(1);
  });

  it('goes on after an error, which is told', async () => {
    cloud.deployments.push(sampleDeployment({ pathUrl: `${cloud.url}/d/demo`, authMode: 'none' }));
    const call = atTerminal('chat', '--endpoint', 'demo');
    await call.shown('Endpoint demo');
    cloud.deployments[0]!.enabled = false;
    call.type('first\r');
    await call.shown('svc: There is no such deployment.\n');
    cloud.deployments[0]!.enabled = true;
    call.type('second\r');
    await call.shown('1: second\n');
    call.type(CTRL_D);
    expect((await call.done).exitCode).toBe(0);
  });

  it('is not begun where CI runs', async () => {
    const options = { cwd: project.cwd, env: { ...project.env, CI: 'true' }, isTTY: true };
    expect((await callCli(['chat'], options)).exitCode).toBe(2);
  });
});
