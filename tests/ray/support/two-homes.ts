// A home whose cloud trains by itself, and one whose cloud has a cluster, each with a project.
import { createHome, type Home } from '../../endurance/home.js';
import type { TestCluster } from './cluster.js';
import { type ExampleName, layOutExample, type Shortened, trainProject } from './examples.js';

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

/** The job's events. */
export async function trainExample(home: Home, name: ExampleName, shortened: Shortened) {
  await layOutExample(home, name, shortened);
  return trainProject(home);
}
