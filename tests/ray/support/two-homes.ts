// A home whose cloud trains by itself, and one whose cloud has a cluster, each with a project.
import { createHome, type Home } from '../../endurance/home.js';
import type { TestCluster } from './cluster.js';
import { type ExampleName, layOutExample, type Shortened, trainProject } from './examples.js';

interface TwoHomes {
  atHome: Home;
  onRay: Home;
  end(): Promise<void>;
}

export async function openTwoHomes({
  url,
  tokenFile,
}: Pick<TestCluster, 'url' | 'tokenFile'>): Promise<TwoHomes> {
  // As on the cluster: what a machine is faster with, it may choose at home.
  const weights = ['--base-weights', 'f32'];
  const open = async (options: readonly string[]) => {
    const home = await createHome({ hasBundledModel: true, cloudOptions: [...weights, ...options] });
    await home.wake();
    await home.svc('init');
    return home;
  };
  const [atHome, onRay] = await Promise.all([open([]), open(['--ray', url, '--ray-token-file', tokenFile])]);
  return {
    atHome,
    onRay,
    async end() {
      await Promise.all([atHome.end(), onRay.end()]);
    },
  };
}

/** The job's events. */
export async function trainExample(home: Home, name: ExampleName, shortened: Shortened) {
  await layOutExample(home, name, shortened);
  return trainProject(home);
}
