// svc cloud stop: asks the cloud's process to exit. Running jobs save their progress and continue at the next start.
import { type FolderOwner, findFolderOwner } from '../../../lib/cloud/index.js';
import { ApiError, type CloudHealth } from '../../../lib/contract/index.js';
import { type LocalCloud, stopLocalCloud, stopOwner } from '../../../lib/sdk/local-cloud/index.js';
import { CommandError, type Io, type RunCommand } from '../../command.js';
import {
  askHealth,
  dataOf,
  describeCloud,
  describeJobCounts,
  findFolder,
  findRunning,
  silentOwner,
} from './local-cloud.js';

export const run: RunCommand = async context => {
  const { io, svc, answer } = context;
  const folder = findFolder(context);
  const { cloud, owner } = await findRunning(folder, io.clock).catch((error: unknown) => {
    // The process can still be stopped by a signal.
    if (error instanceof ApiError) return { cloud: null, owner: findFolderOwner(folder) };
    throw error;
  });
  const text = cloud
    ? await stop(cloud, `${svc} cloud start${dataOf(folder, io.env)}`)
    : owner
      ? await end(owner, folder, io.env)
      : 'The cloud is not running.\n';
  const stopped = cloud ? describeCloud(cloud, folder) : owner && { pid: owner.pid, folder };
  answer({ stopped }, () => text);
};

/** `start`: the command that starts it again. */
async function stop(cloud: LocalCloud, start: string): Promise<string> {
  const health = await askHealth(cloud);
  if (!(await stopLocalCloud(cloud))) throw stillThere(cloud.pid);
  return `Stopped the cloud at ${cloud.url}.\n${describeJobs(health?.jobs, start)}`;
}

/** Stops a cloud that does not respond. On most systems, its lock file names its process. */
async function end(owner: FolderOwner, folder: string, env: Io['env']): Promise<string> {
  if (owner.pid === null) throw silentOwner(folder, owner, env);
  if (!(await stopOwner(owner.pid))) throw stillThere(owner.pid);
  return `Stopped the cloud on ${folder} (process ${owner.pid}), which did not respond.\n`;
}

function stillThere(pid: number): CommandError {
  const kill = process.platform === 'win32' ? `taskkill /F /PID ${pid}` : `kill -9 ${pid}`;
  return new CommandError(
    `The cloud was asked to stop, but process ${pid} is still running. To kill it, run: ${kill}`,
  );
}

/** Describes its unfinished jobs, which will resume later. */
function describeJobs(jobs: CloudHealth['jobs'], start: string): string {
  const { running = 0, queued = 0 } = jobs ?? {};
  const counts = describeJobCounts({ running, queued });
  if (counts === null) return '';
  const verb = running + queued === 1 ? 'continues' : 'continue';
  return `Its ${counts} ${verb} at the next start: ${start}\n`;
}
