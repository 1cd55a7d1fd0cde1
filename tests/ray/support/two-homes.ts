// A home whose cloud trains by itself, and one whose cloud has a cluster, each with a project: an example, shortened to the
// same data, options and callbacks with as few steps as a test can wait for.
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JobConfigInput, JobEvent } from '../../../lib/contract/index.js';
import { createHome, type Home } from '../../endurance/home.js';
import type { NumberedEvent } from '../../endurance/judge.js';
import { mustSucceed } from '../../endurance/reference.js';
import type { TestCluster } from './cluster.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface TwoHomes {
  atHome: Home;
  onRay: Home;
  end(): Promise<void>;
}

type Address = Pick<TestCluster, 'url' | 'tokenFile'>;

export async function openTwoHomes(cluster: Address): Promise<TwoHomes> {
  const [atHome, onRay] = await Promise.all([openHome([]), openHomeOnRay(cluster)]);
  return {
    atHome,
    onRay,
    async end() {
      await Promise.all([atHome.end(), onRay.end()]);
    },
  };
}

export const openHomeOnRay = ({ url, tokenFile }: Address): Promise<Home> =>
  openHome(['--ray', url, '--ray-token-file', tokenFile]);

async function openHome(options: readonly string[]): Promise<Home> {
  // As on the cluster: what a machine is faster with, it may choose at home.
  const cloudOptions = ['--base-weights', 'f32', ...options];
  const home = await createHome({ hasBundledModel: true, cloudOptions });
  await home.wake();
  await home.svc('init');
  return home;
}

type ExampleName = 'support-triage' | 'redaction' | 'translate';

interface Shortened extends Pick<JobConfigInput, 'engine' | 'resources'> {
  maxSteps: number;
  saveSteps: number;
  evalSteps: number;
  /** Of the 100, which the example's callback answers at the end. */
  heldOutRows: number;
}

/** Into the home's project, which it replaces. */
async function layOutExample(home: Home, name: ExampleName, shortened: Shortened): Promise<void> {
  const { cwd } = home.place;
  const { heldOutRows, ...options } = shortened;
  const from = join(root, 'examples', name);
  await rm(join(cwd, 'src'), { recursive: true, force: true });
  await cp(join(from, 'src'), join(cwd, 'src'), { recursive: true });
  await cp(join(from, 'data'), join(cwd, 'data'), { recursive: true });
  const heldOut = await readFile(join(from, 'data/held-out.jsonl'), 'utf8');
  await writeFile(join(cwd, 'data/held-out.jsonl'), heldOut.split('\n').slice(0, heldOutRows).join('\n'));
  const entry = join(cwd, 'src/svc/index.ts');
  await writeFile(entry, shorten(await readFile(entry, 'utf8'), options));
  await mkdir(join(cwd, 'node_modules'), { recursive: true });
  await symlink(root, join(cwd, 'node_modules/svc')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

function shorten(entry: string, options: object): string {
  const kept = entry.replace(/^ {2}(?:epochs|loggingSteps|evalSteps|saveSteps|maxSteps): .*\n/gm, '');
  const added = Object.entries({ loggingSteps: 1, ...options })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`);
  const shortened = kept.replace(/^ {2}batchSize: .*\n/m, line => line + added.join(''));
  if (kept === entry || shortened === kept) throw new Error('The example has no options to shorten.');
  return shortened;
}

/** Builds the project and trains it to its end, as its user would; the job's events. */
export async function trainExample(
  home: Home,
  name: ExampleName,
  shortened: Shortened,
): Promise<NumberedEvent[]> {
  await layOutExample(home, name, shortened);
  mustSucceed(await home.svc('build'));
  const { stdout } = mustSucceed(await home.svc('start', '--json'));
  const lines = stdout.trim().split('\n');
  return lines.map((line, i) => ({ seq: i + 1, event: JSON.parse(line) as JobEvent }));
}
