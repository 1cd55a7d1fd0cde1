// svc cloud stop: asks the cloud's process to end. Running jobs save where they are, and go on at the next start.
import type { FolderOwner } from '../../../lib/cloud/index.js';
import type { CloudHealth } from '../../../lib/contract/index.js';
import { type LocalCloud, stopLocalCloud, stopOwner } from '../../../lib/sdk/local-cloud/index.js';
import type { CommandModule, Io } from '../../command.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { ownName } from '../../own-name.js';
import { askHealth } from './ask-health.js';
import { describeCloud } from './describe.js';
import { findRunning } from './find-running.js';
import { findFolder } from './folder.js';
import { describeJobCounts } from './job-counts.js';
import { silentOwner } from './silent-owner.js';

export const run: CommandModule['run'] = async (input, io) => {
  const folder = findFolder(input, io);
  const { cloud, owner } = await findRunning(folder);
  const text = cloud ? await stop(cloud, io) : owner ? await end(owner, folder) : 'The cloud does not run.\n';
  const stopped = cloud ? describeCloud(cloud, folder) : owner && { pid: owner.pid, folder };
  io.stdout.write(input.json ? `${JSON.stringify({ stopped })}\n` : text);
  return exitCode.ok;
};

async function stop(cloud: LocalCloud, io: Io): Promise<string> {
  const health = await askHealth(cloud);
  if (!(await stopLocalCloud(cloud))) throw stillThere(cloud.pid);
  return `The cloud at ${cloud.url} has stopped.\n${describeJobs(health?.jobs, io)}`;
}

/** One that does not answer: the lock says which process it is, where the system tells. */
async function end(owner: FolderOwner, folder: string): Promise<string> {
  if (owner.pid === null) throw silentOwner(folder, owner);
  if (!(await stopOwner(owner.pid))) throw stillThere(owner.pid);
  return `The cloud of ${folder}, process ${owner.pid}, did not answer, and has been stopped.\n`;
}

function stillThere(pid: number): CommandError {
  const kill = process.platform === 'win32' ? `taskkill /F /PID ${pid}` : `kill -9 ${pid}`;
  return new CommandError(
    `The cloud was asked to stop, but its process ${pid} is still running. To end it at once: ${kill}`,
  );
}

/** What it had to do, which is not lost. */
function describeJobs(jobs: CloudHealth['jobs'], { env }: Pick<Io, 'env'>): string {
  const { running = 0, queued = 0 } = jobs ?? {};
  const counts = describeJobCounts({ running, queued });
  if (counts === null) return '';
  const verb = running + queued === 1 ? 'goes on' : 'go on';
  return `Its ${counts} ${verb} at the next start: ${ownName(env)} cloud start\n`;
}
