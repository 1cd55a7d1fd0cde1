// svc cloud stop: asks the cloud's process to end. Running jobs save where they are, and go on at the next start.
import type { CloudHealth } from '../../../lib/contract/index.js';
import { findCloudIn, stopLocalCloud } from '../../../lib/sdk/local-cloud/index.js';
import type { CommandModule, Io } from '../../command.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { ownName } from '../../own-name.js';
import { askHealth } from './ask-health.js';
import { describeCloud } from './describe.js';
import { findFolder } from './folder.js';
import { describeJobCounts } from './job-counts.js';

const NOT_RUNNING = 'The cloud does not run.\n';

export const run: CommandModule['run'] = async (input, io) => {
  const folder = findFolder(input, io);
  const cloud = await findCloudIn(folder);
  const jobs = cloud && (await askHealth(cloud))?.jobs;
  if (cloud && !(await stopLocalCloud(cloud)))
    throw new CommandError(`The cloud was asked to end, but its process ${cloud.pid} is still there.`);
  const text = cloud ? `The cloud at ${cloud.url} has stopped.\n${describeJobs(jobs, io)}` : NOT_RUNNING;
  io.stdout.write(
    input.json ? `${JSON.stringify({ stopped: cloud && describeCloud(cloud, folder) })}\n` : text,
  );
  return exitCode.ok;
};

/** What it had to do, which is not lost. */
function describeJobs(jobs: CloudHealth['jobs'] | null, { env }: Pick<Io, 'env'>): string {
  const { running = 0, queued = 0 } = jobs ?? {};
  const counts = describeJobCounts({ running, queued });
  if (counts === null) return '';
  const verb = running + queued === 1 ? 'goes on' : 'go on';
  return `Its ${counts} ${verb} at the next start: ${ownName(env)} cloud start\n`;
}
