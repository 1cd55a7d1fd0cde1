// The example support-triage with a finished run and the runs of a sweep, all of them real. They are trained here, in a
// temporary home of which nothing is left, unless a project is given that has them.
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { JobSummary } from '../../../lib/contract/index.js';
import { type ProgramOptions, runProgram } from '../../support/program.js';
import { repositoryRoot } from '../../support/repository-root.js';
import type { Size } from '../support/emulator.js';
import { openScreen, type Screen } from '../support/screen.js';

export const EXAMPLE = 'support-triage';
const SWEEP = ['--sweep', 'learningRate=5e-4,1e-3,4e-3', '--set', 'maxSteps=60'];
const OFTEN = ['--set', 'evalSteps=15', '--set', 'loggingSteps=2'];

export type Example = Awaited<ReturnType<typeof openExample>>;

/** `given`: a project folder, with its cloud in `SVC_HOME`. */
export async function openExample(given?: string) {
  const home = given ? null : await mkdtemp(join(tmpdir(), 'svc-pictures-'));
  const folder = home ? join(home, EXAMPLE) : resolve(given!);
  const SVC_HOME = home ? join(home, '.svc') : (process.env.SVC_HOME ?? join(homedir(), '.svc'));
  const place: ProgramOptions = { cwd: folder, env: { SVC_HOME } };
  if (home) await makeProject(home, place);
  const screens: Screen[] = [];
  const svc = async (...args: string[]) => (await runProgram(args, place)).stdout;
  const completed = async () =>
    (JSON.parse(await svc('jobs', 'list', '--json')) as { jobs: JobSummary[] }).jobs.filter(
      ({ status }) => status === 'completed',
    );
  const trained = async (choose: (jobs: JobSummary[]) => JobSummary[], ...options: string[]) => {
    const known = choose(await completed());
    if (known.length > 0) return known;
    await svc('start', ...options);
    return choose(await completed());
  };
  return {
    folder,
    /** Runs `svc` in its folder. */
    svc,
    /** Its latest finished run, trained if there is none. */
    finishedRun: async () => (await trained(jobs => jobs.filter(({ group }) => !group)))[0]!,
    /** The finished runs of a sweep, trained if there are none. */
    sweptRuns: () => trained(jobs => jobs.filter(({ group }) => group).slice(0, 3), ...SWEEP, ...OFTEN),
    /** `svc dev` in a terminal. */
    async dev(size: Size) {
      const screen = openScreen({
        file: process.execPath,
        args: [join(repositoryRoot, 'dist', 'cli', 'bin.js'), 'dev', '--port', '0'],
        cwd: folder,
        // Times are written as the browser writes them.
        env: { PATH: process.env.PATH!, HOME: home ?? homedir(), LANG: 'en_GB.UTF-8', TZ: 'UTC', SVC_HOME },
        size,
      });
      screens.push(screen);
      await screen.shows(`Run training: ${EXAMPLE}`, 'cloud up');
      const file = await readFile(join(folder, '.svc', 'studio.json'), 'utf8');
      return { screen, url: (JSON.parse(file) as { url: string }).url };
    },
    async close() {
      for (const screen of screens) {
        screen.kill('SIGTERM');
        await screen.exited;
      }
      if (!home) return;
      await svc('cloud', 'stop');
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function makeProject(home: string, place: ProgramOptions): Promise<void> {
  await runProgram(['init', EXAMPLE, '--template', 'triage'], { ...place, cwd: home });
  await mkdir(join(place.cwd, 'node_modules'));
  await symlink(repositoryRoot, join(place.cwd, 'node_modules', 'svc'));
}
