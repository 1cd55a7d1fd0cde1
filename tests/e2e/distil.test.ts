// A student learns from a teacher that is another project's trained adapter, served by the same cloud. It is killed while it asks,
// started again, and asks nothing twice.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deployment, Job, JobSummary } from '../../lib/contract/index.js';
import { askProgram, type ProgramOptions, runProgram, startProgram, untilEnded } from '../support/program.js';
import { until } from '../support/until.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const TEACHER = `import { createService, createTrainer } from 'svc';
const trainer = createTrainer({
  name: 'teacher',
  dataset: { type: 'file', path: 'rows.jsonl' },
  maxSteps: 4,
  batchSize: 4,
});
export const service = createService({ trainer });
`;
const STUDENT = `import { createService, createTrainer, distil } from 'svc';
const trainer = createTrainer({
  name: 'student',
  dataset: distil({
    teacher: { baseURL: process.env.TEACHER_URL, model: 'teacher', apiKey: null },
    prompts: '../teacher/rows.jsonl',
    maxTokens: 100,
    concurrency: 3,
    soft: process.env.SOFT === 'yes',
    keep: (answer, { messages }) => !messages.at(-1).content.includes('LEFT OUT'),
  }),
  maxSteps: 2,
  batchSize: 2,
});
export const service = createService({ trainer });
`;
const PROMPTS = 12;
/** How many the first process gets. */
const BEFORE = 5;

interface Row {
  messages: { role: string; content: string }[];
}

let home: string;
let teacher: ProgramOptions;
let student: ProgramOptions;
let endpoint: string;
let rows: Row[];

async function makeProject(name: string, entry: string): Promise<ProgramOptions> {
  const cwd = join(home, name);
  await mkdir(join(cwd, 'src', 'svc'), { recursive: true });
  await writeFile(join(cwd, 'package.json'), '{ "type": "module" }');
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), entry);
  return { cwd, env: { SVC_HOME: join(home, '.svc') } };
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-distil-'));
  await mkdir(join(home, 'node_modules'));
  await symlink(root, join(home, 'node_modules', 'svc'));
  teacher = await makeProject('teacher', TEACHER);
  student = await makeProject('student', STUDENT);
  const all = await readFile(join(root, 'examples', 'support-triage', 'data', 'train.jsonl'), 'utf8');
  rows = all
    .split('\n')
    .slice(0, PROMPTS)
    .map(line => JSON.parse(line) as Row);
  rows[3]!.messages[0]!.content += ' LEFT OUT';
  await writeFile(join(teacher.cwd, 'rows.jsonl'), rows.map(row => `${JSON.stringify(row)}\n`).join(''));
  await runProgram(['start'], teacher);
  const { jobs } = await askProgram<{ jobs: JobSummary[] }>(['jobs', 'list'], teacher);
  const argv = ['endpoints', 'create', 'teacher', '--job', jobs[0]!.id, '--auth', 'none'];
  endpoint = (await askProgram<{ deployment: Deployment }>(argv, teacher)).deployment.pathUrl!;
});

afterAll(async () => {
  await untilEnded(startProgram(['cloud', 'stop'], teacher));
  await rm(home, { recursive: true, force: true });
});

/** Passes requests on to the endpoint, up to so many at first, and counts them. */
async function openProxy() {
  const proxy = { passed: [] as string[], held: 0, limit: BEFORE, url: '', close: async () => {} };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (proxy.passed.length >= proxy.limit) {
      proxy.held++;
      return;
    }
    proxy.passed.push(JSON.parse(body).messages.at(-1).content);
    const answer = await fetch(`${endpoint}${request.url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  proxy.close = async () => {
    server.closeAllConnections();
    await new Promise(resolve => void server.close(resolve));
  };
  return proxy;
}

/** What the endpoint answers when it is asked without svc. */
async function askTeacher(messages: Row['messages']): Promise<string> {
  const response = await fetch(`${endpoint}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'teacher', messages, temperature: 0, max_completion_tokens: 100 }),
  });
  const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
  return choices[0].message.content;
}

async function answersOnDisk(): Promise<number> {
  const folder = join(student.cwd, '.svc', 'distilled');
  const names = await readdir(folder).catch(() => []);
  const log = names.find(name => name.endsWith('.jsonl'));
  return log ? (await readFile(join(folder, log), 'utf8')).split('\n').length - 1 : 0;
}

// Each test goes on where the one before has ended.
describe('a distillation', { shuffle: false }, () => {
  it('a teacher that svc serves is asked for each answer once, though the student is killed in between', async () => {
    const proxy = await openProxy();
    const place = { ...student, env: { ...student.env, TEACHER_URL: proxy.url } };
    const first = startProgram(['start', '--json'], place);
    await until(answersOnDisk).toBe(BEFORE);
    await until(() => proxy.held).toBe(3);
    first.child.kill('SIGKILL');
    await first.ended;

    proxy.limit = Number.POSITIVE_INFINITY;
    const second = await untilEnded(startProgram(['start', '--json'], place));
    expect(second.stderr).toContain(`Asking teacher for 7 answers (5 of ${PROMPTS} are here already)`);
    expect(second.stderr).toContain('Left out: 1 by `keep`.');
    expect(second.stdout).toContain('training.completed');
    expect(proxy.passed.toSorted()).toEqual(rows.map(({ messages }) => messages[0]!.content).toSorted());

    const expected: Row[] = [];
    for (const { messages } of rows.filter((_, index) => index !== 3)) {
      const asked = messages.slice(0, 1);
      expected.push({ messages: [...asked, { role: 'assistant', content: await askTeacher(asked) }] });
    }
    const bytes = expected.map(row => `${JSON.stringify(row)}\n`).join('');
    const digest = createHash('sha256').update(bytes).digest('hex');
    const stored = await readdir(join(home, '.svc', 'cloud'), { recursive: true });
    expect(stored.filter(path => path.includes(digest))).not.toEqual([]);

    await proxy.close();
    const looked = await startProgram(['data', 'check', '--no-ask', '--json'], place).ended;
    expect(JSON.parse(looked.stdout)).toMatchObject({ report: { rows: PROMPTS - 1 } });
  });

  it('a student learns what the teacher expected at each token, too', async () => {
    const env = { ...student.env, TEACHER_URL: `${endpoint}/v1`, SOFT: 'yes' };
    const { stdout, stderr } = await untilEnded(startProgram(['start', '--json'], { ...student, env }));
    expect(stderr).toContain('12 answers of teacher, 12 of them new');
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { type?: string; loss?: number; softLoss?: number });
    const logs = events.filter(({ type }) => type === 'training.log');
    expect(logs).toHaveLength(2);
    // It begins as the model that the teacher was trained from, so that it is near, but not the same.
    for (const { loss, softLoss } of logs) {
      expect(softLoss).toBeGreaterThan(0);
      expect(softLoss).toBeLessThan(loss!);
    }
    const argv = ['jobs', 'list'];
    const [{ id }] = (await askProgram<{ jobs: JobSummary[] }>(argv, student)).jobs as [JobSummary];
    const { config } = (await askProgram<{ job: Job }>(['jobs', 'show', id], student)).job;
    expect(config).toMatchObject({ softWeight: 0.5 });
  });
});
