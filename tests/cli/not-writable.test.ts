// Commands in a place that cannot be written: each says so in a sentence, at once, and never as the system does.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { callCli } from './support/terminal.js';

let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
});
afterEach(() => project.close());

const svc = (...argv: string[]) => callCli(argv, project);
const ENTRY = "import { createService } from 'svc';\nexport const service = createService();\n";

describe('a project with a file where .svc should be', () => {
  beforeEach(async () => {
    await project.write('src/svc/index.ts', ENTRY);
    await project.write('.svc', '');
  });

  it.each([
    [['build'], 'build'],
    [['start'], 'build'],
    [['dev', '--no-tui', '--port', '0'], ''],
  ])('fails %j with what to do', async (argv, below) => {
    const file = join(project.cwd, '.svc');
    const { exitCode, stderr } = await svc(...argv);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `svc: ${join(file, below)} cannot be written: the file ${file} is in the way (${below ? 'ENOTDIR' : 'EEXIST'}). Move it, or use another folder.\n`,
    );
  });

  it('has a dashboard that says the same', async () => {
    const options = { cwd: project.cwd, env: { ...project.env, TERM: 'xterm' }, isTTY: true };
    const { exitCode, stderr } = await callCli(['dev'], options);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${join(project.cwd, '.svc')} cannot be written: the file `);
  });
});

describe('a home that is none', () => {
  it.each([[['cloud', 'start']], [['cloud', 'start', '--foreground']]])(
    'fails %j with what to do',
    async argv => {
      const file = join(project.cwd, 'file');
      await writeFile(file, '');
      const env = { SVC_HOME: join(file, 'home') };
      const { exitCode, stderr } = await callCli(argv, { cwd: project.cwd, env });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        /^svc: .*home.* cannot be written: the file .*file is in the way \(ENOTDIR\)\. Move it, or set SVC_HOME to another folder\.\n$/,
      );
    },
  );

  it('fails whoever needs an identity there', async () => {
    const file = join(project.cwd, 'file');
    await writeFile(file, '');
    const env = { ...project.env, SVC_HOME: join(file, 'home') };
    const { exitCode, stderr } = await callCli(['chat', 'Hi'], { cwd: project.cwd, env });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `svc: ${env.SVC_HOME} cannot be written: the file ${file} is in the way (ENOTDIR). Move it, or set SVC_HOME to another folder.\n`,
    });
  });
});

describe('a folder that nothing can be made in', () => {
  it.each([
    [['init', '/proc/nope']],
    [['cloud', 'start', '--data', '/proc/nope']],
    [['cloud', 'start', '--foreground', '--data', '/proc/nope']],
  ])('fails %j at once', async argv => {
    const { exitCode, stderr } = await svc(...argv);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^svc: \/proc\/nope\S* cannot be written: .* \(E[A-Z]+\)\. .*use another folder\.\n$/i,
    );
  });

  it('fails svc init where a file is in the way of the folder', async () => {
    await mkdir(join(project.cwd, 'a'));
    await writeFile(join(project.cwd, 'a', 'src'), '');
    const { exitCode, stderr } = await svc('init', 'a');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`the file ${join(project.cwd, 'a', 'src')} is in the way`);
  });
});
