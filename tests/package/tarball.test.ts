// The tarball as a stranger gets it: installed into an empty project, compiled against, and used as the README says.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { readMarkedBlocks } from '../support/readme.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
const project = temporaryFolder('svc-pack');
/** Where an adapter's package is installed, with a home of its own. */
const consumer = join(project, 'consumer');
let tarballName: string;
let files: string[];
let size: number;

/** As a shell would have it: what `npm test` says of this repository is left out, how to reach the registry is not. */
const ours = /^(NODE_OPTIONS|npm_(package|lifecycle)_.*|npm_config_(local_prefix|node_options))$/;
const outside = Object.entries(process.env).filter(([name]) => !ours.test(name));
const env = { ...Object.fromEntries(outside), ONNXRUNTIME_NODE_INSTALL: 'skip' };
/** With an empty home. */
const settings = { ...env, SVC_HOME: join(project, '.home') };
const elsewhere = { ...env, SVC_HOME: join(consumer, '.home') };
const svc = (...args: string[]) =>
  run('npx', ['--no', '--', 'svc', ...args], { cwd: project, env: settings });

const TRIAGE = `import { createService, createTrainer, defineTask } from 'svc';
import { z } from 'zod';
const task = defineTask({
  name: 'triage',
  input: z.object({ subject: z.string() }),
  output: z.enum(['bug', 'wish']),
  prompt: ({ subject }) => \`Bug or wish? \${subject}\`,
});
const rows = [
  { input: { subject: 'It crashes' }, output: 'bug' },
  { input: { subject: 'Dark mode' }, output: 'wish' },
] as const;
const trainer = createTrainer({ name: 'triage', task, dataset: { type: 'rows', rows: [...rows] }, maxSteps: 2 });
export const service = createService({ trainer });
`;

const CONSUMER = `import { ask, TaskError, type Input } from '@me/triage';
const input: Input = { subject: 'It crashes' };
const label: 'bug' | 'wish' = await ask(input);
const { output, probabilities } = await ask.withProbabilities(input);
if (label !== output) throw new Error(\`\${label} is not \${output}\`);
const total = Object.values(probabilities).reduce((sum, share) => sum + share, 0);
// @ts-expect-error another input than the task's
const refused: unknown = await ask({ subject: 7 }).catch((error: unknown) => error);
if (!(refused instanceof TaskError) || refused.code !== 'input_invalid') throw refused;
console.log(JSON.stringify({ output, total }));`;

beforeAll(async () => {
  for (const built of ['cli/bin.js', 'lib/index.d.ts', 'studio-web/index.html'])
    expect(existsSync(join(root, 'dist', built)), `no dist/${built}: run \`npm run build\` first`).toBe(true);
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project];
  const [tarball] = JSON.parse((await run('npm', pack, { cwd: root, env })).stdout) as [
    { filename: string; size: number; files: { path: string }[] },
  ];
  tarballName = tarball.filename;
  size = tarball.size;
  files = tarball.files.map(({ path }) => path);
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball.filename];
  const { stderr } = await run('npm', install, { cwd: project, env });
  expect(stderr).not.toContain('EBADENGINE');
});

afterAll(async () => {
  await svc('cloud', 'stop').catch(() => {});
  await run('npx', ['--no', '--', 'svc', 'cloud', 'stop'], { cwd: consumer, env: elsewhere }).catch(() => {});
});

describe('the packed tarball', () => {
  it('holds what was built, and nothing of the workshop', () => {
    const built = ['dist/cli/bin.js', 'dist/lib/index.d.ts', 'dist/studio-web/index.html'];
    const example = ['src/svc/index.ts', 'data/train.jsonl'].map(name => `examples/support-triage/${name}`);
    const others = ['README.md', 'LICENSE', 'package.json', 'lib/base-model/files/model.safetensors'];
    expect(files).toEqual(expect.arrayContaining([...built, ...example, ...others]));
    const expected =
      /^(dist\/|lib\/base-model\/files\/|lib\/task\/client\/|ray\/([A-Z]+\.md|pyproject\.toml|svc_ray\/)|examples\/[^/]+\/(data|src)\/|examples\/triage-task\/(\.github\/|triage\.weights)|README\.md$|LICENSE$|package\.json$)/;
    expect(files.filter(path => !expected.test(path))).toEqual([]);
    expect(size).toBeLessThan(20e6);
  });

  it('answers `npx svc --version` in an empty project', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    expect((await svc('--version')).stdout.trim()).toBe(version);
  });

  it('is imported and compiled against by its name', async () => {
    const program = `import { createCloudClient, createService, createTrainer, ApiError, type Job } from 'svc';
export const service = createService({
  trainer: createTrainer({ name: 'a', dataset: { type: 'rows', rows: [] } }),
});
const client = createCloudClient({ baseUrl: 'https://cloud.example' });
export async function first(): Promise<Job> {
  return (await client.getJob('1')).job;
}
// @ts-expect-error a slug is text
void client.createDeployment({ slug: 7, target: { kind: 'base_model', baseModel: 'm' } }).catch(() => {});
console.log(new ApiError('slug_taken', 'x').status);`;
    await compile('main.ts', program);
    const { stdout } = await run(process.execPath, ['main.js'], { cwd: project, env });
    expect(stdout.trim()).toBe('409');
  });

  // A dozen commands, one after the other.
  it("does what the README's blocks say, from an empty home", {
    timeout: 5 * JOURNEY_TIMEOUT_MS,
  }, async () => {
    const blocks = readMarkedBlocks();
    expect(blocks.length).toBeGreaterThanOrEqual(6);
    for (const { mark, code } of blocks) {
      if (mark === 'compile') await compile('block.ts', code, '--noEmit', '--skipLibCheck');
      else if (mark === 'run') await runLines(code);
      else await runUntil(code.trim(), mark.replace('run until ', ''));
    }
  });

  it("saves an adapter as a package, which asks it in another project by its task's types", {
    timeout: 3 * JOURNEY_TIMEOUT_MS,
  }, async () => {
    await writeFile(join(project, 'triage.ts'), TRIAGE);
    await svc('start', 'triage.ts');
    const { jobs } = JSON.parse((await svc('jobs', 'list', '--json')).stdout);
    await svc('jobs', 'download', jobs[0].id, '--npm', '--name', '@me/triage', '--out', 'triage');
    const { adapter } = JSON.parse(await readFile(join(project, 'triage', 'package.json'), 'utf8'));
    expect(adapter).toMatchObject({ baseModelLicense: 'MIT', task: 'triage' });
    const pack = ['pack', '--json', '--pack-destination', project];
    const [packed] = JSON.parse((await run('npm', pack, { cwd: join(project, 'triage'), env })).stdout);
    await mkdir(consumer);
    await writeFile(join(consumer, 'package.json'), '{ "type": "module" }');
    const tarballs = [tarballName, packed.filename].map(name => join(project, name));
    const options = ['--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...options, ...tarballs], { cwd: consumer, env });

    await compile('consumer/main.ts', CONSUMER);
    const { stdout } = await run(process.execPath, ['main.js'], { cwd: consumer, env: elsewhere });
    const { output, total } = JSON.parse(stdout);
    expect(['bug', 'wish']).toContain(output);
    expect(total).toBeCloseTo(1, 3);
  });

  /** The README's job is the first one here. */
  async function withJob(line: string): Promise<string> {
    if (!line.includes('3f2a')) return line;
    const { stdout } = await svc('jobs', 'list', '--json');
    return line.replaceAll('3f2a', JSON.parse(stdout).jobs[0].id.slice(0, 8));
  }

  async function runLines(code: string): Promise<void> {
    for (const line of code.trim().split('\n'))
      await run('sh', ['-c', await withJob(line)], { cwd: project, env: settings });
  }

  /** Ends it, as Ctrl-C would, once it has printed the text. */
  function runUntil(line: string, text: string): Promise<void> {
    const child = spawn('sh', ['-c', `exec ${line}`], { cwd: project, env: settings, detached: true });
    return new Promise((resolve, reject) => {
      let printed = '';
      const read = (part: Buffer) => {
        printed += part;
        if (printed.includes(text)) process.kill(-child.pid!, 'SIGINT');
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('error', reject);
      child.once('close', () => {
        if (printed.includes(text)) resolve();
        else reject(new Error(`"${line}" never printed "${text}":\n${printed}`));
      });
    });
  }

  async function compile(file: string, code: string, ...more: string[]): Promise<void> {
    await writeFile(join(project, file), code);
    const modern = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
    await run(process.execPath, [tsc, '--strict', ...modern, ...more, file], { cwd: project, env });
  }
});
