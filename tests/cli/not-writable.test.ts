// Commands in a place that cannot be written: each says so in a sentence, at once, and never as the system does.
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, projectOfEach } from './support/project.js';

const ENTRY = "import { createService } from 'svc';\nexport const service = createService();\n";

const project = projectOfEach({ entry: ENTRY });
const { svc } = project;
beforeEach(() => project.write('file', ''));

describe('a project with a file where .svc should be', () => {
  beforeEach(() => project.write('.svc', ''));

  it.each([
    ['build', 'build', 'ENOTDIR'],
    ['start', 'build', 'ENOTDIR'],
    ['dev --no-tui --port 0', '', 'EEXIST'],
  ])('fails svc %s with what to do', async (line, below, code) => {
    const file = project.path('.svc');
    const { exitCode, stderr } = await svc(line);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `svc: ${join(file, below)} cannot be written: the file ${file} is in the way (${code}). Move it, or use another folder.\n`,
    );
  });

  it('has a dashboard that says the same', async () => {
    expect(await svc('dev', { env: { TERM: 'xterm' }, isTTY: true })).toMatchObject(
      failure(1, `${project.path('.svc')} cannot be written: the file `),
    );
  });
});

it.each(['cloud start', 'cloud start --foreground', 'chat Hi'])(
  'svc %s fails in a home that is none',
  async line => {
    const SVC_HOME = project.path('file/home');
    const env = line.startsWith('cloud') ? { SVC_HOME, SVC_CLOUD_URL: '' } : { SVC_HOME };
    const { exitCode, stderr } = await svc(line, { env });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^svc: .*home.* cannot be written: the file .*file is in the way \(ENOTDIR\)\. Move it, or set SVC_HOME to another folder\.\n$/,
    );
  },
);

it.each(['init /proc/nope', 'cloud start --data /proc/nope', 'cloud start --foreground --data /proc/nope'])(
  'svc %s fails at once where nothing can be made',
  async line => {
    const { exitCode, stderr } = await svc(line);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^svc: \/proc\/nope\S* cannot be written: .* \(E[A-Z]+\)\. .*use another folder\.\n$/i,
    );
  },
);

it('svc init fails where a file is in the way of the folder', async () => {
  await project.write('a/src', '');
  expect(await svc('init a')).toMatchObject(failure(1, `the file ${project.path('a/src')} is in the way`));
});
