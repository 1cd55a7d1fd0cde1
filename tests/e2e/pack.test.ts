// The tarball as a stranger gets it: installed into an empty project, started, and compiled against.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
let project: string;
let files: string[];

/** As a shell would have it: what `npm test` says of this repository is left out, how to reach the registry is not. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(NODE_OPTIONS|npm_(package|lifecycle)_.*|npm_config_(local_prefix|node_options))$/.test(name),
    ),
  ),
  ONNXRUNTIME_NODE_INSTALL: 'skip',
};

beforeAll(async () => {
  for (const built of ['cli/bin.js', 'lib/index.d.ts', 'studio-web/index.html']) {
    expect(
      existsSync(join(root, 'dist', built)),
      `dist/${built} is missing: run \`npm run build\` first`,
    ).toBe(true);
  }
  project = await mkdtemp(join(tmpdir(), 'svc-pack-'));
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project];
  const [tarball] = JSON.parse((await run('npm', pack, { cwd: root, env })).stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  files = tarball.files.map(({ path }) => path);
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball.filename];
  const { stderr } = await run('npm', install, { cwd: project, env });
  expect(stderr).not.toContain('EBADENGINE');
}, 180_000);

afterAll(() => rm(project, { recursive: true, force: true }));

describe('the packed tarball', () => {
  it('holds what was built, and nothing of the workshop', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'README.md',
        'LICENSE',
        'package.json',
        'dist/cli/bin.js',
        'dist/lib/index.d.ts',
        'dist/studio-web/index.html',
        'lib/base-model/files/model.safetensors',
      ]),
    );
    expect(
      files.filter(
        path => !/^(dist\/|lib\/base-model\/files\/|README\.md$|LICENSE$|package\.json$)/.test(path),
      ),
    ).toEqual([]);
  });

  it('answers `npx svc --version` in an empty project', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const { stdout } = await run('npx', ['--no', '--', 'svc', '--version'], { cwd: project, env });
    expect(stdout.trim()).toBe(version);
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
    await writeFile(join(project, 'main.ts'), program);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [tsc, '--strict', '--module', 'nodenext', '--lib', 'es2023,dom', 'main.ts'], {
      cwd: project,
      env,
    });
    const { stdout } = await run(process.execPath, ['main.js'], { cwd: project, env });
    expect(stdout.trim()).toBe('409');
  });
});
