// `svc dev` in a terminal, in the example support-triage: in a temporary home, on ports that are free. Nothing of it is left.
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProgramOptions, runProgram } from '../../support/program.js';
import { repositoryRoot } from '../../support/source-tree.js';
import type { Size } from '../support/emulator.js';
import { openScreen, type Screen } from '../support/screen.js';

export const EXAMPLE = 'support-triage';

export interface Example {
  readonly screen: Screen;
  /** Where its Studio is. */
  url(): Promise<string>;
  /** Runs `svc` in its folder. */
  run(args: readonly string[]): Promise<{ stdout: string }>;
  close(): Promise<void>;
}

export async function openExample(size: Size): Promise<Example> {
  const home = await mkdtemp(join(tmpdir(), 'svc-pictures-'));
  const place: ProgramOptions = { cwd: join(home, EXAMPLE), env: { SVC_HOME: join(home, '.svc') } };
  await runProgram(['init', EXAMPLE, '--template', 'triage'], { ...place, cwd: home });
  await mkdir(join(place.cwd, 'node_modules'));
  await symlink(repositoryRoot, join(place.cwd, 'node_modules', 'svc'));
  const screen = openScreen({
    file: process.execPath,
    args: [join(repositoryRoot, 'dist', 'cli', 'bin.js'), 'dev'],
    cwd: place.cwd,
    // Times are written as the browser writes them.
    env: { PATH: process.env.PATH!, HOME: home, LANG: 'en_GB.UTF-8', TZ: 'UTC', ...place.env },
    size,
  });
  return {
    screen,
    async url() {
      const file = await readFile(join(place.cwd, '.svc', 'studio.json'), 'utf8');
      return (JSON.parse(file) as { url: string }).url;
    },
    run: args => runProgram([...args], place),
    async close() {
      screen.kill('SIGTERM');
      await screen.exited;
      await runProgram(['cloud', 'stop'], place);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
