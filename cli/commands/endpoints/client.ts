// svc endpoints client SLUG: the source of a typed client, for projects without svc.
import { join } from 'node:path';
import { findPackage } from '../../../lib/system/index.js';
import { writeClient } from '../../../lib/task/index.js';
import { CommandError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findDeployment } from '../project/find.js';
import { sessionCommand } from '../project/session-command.js';

export const run = sessionCommand(async ({ positionals, session, answer }) => {
  const { deployment } = await findDeployment(session, positionals[0]!);
  const { slug, url, pathUrl, task } = deployment;
  if (!task)
    throw new CommandError(
      `The endpoint ${toSafeLine(slug)} has no task: its model was trained without one. Pass a task to createTrainer, and train again.`,
    );
  const folder = join(findPackage(), 'lib', 'task', 'client');
  const client = await writeClient({ slug, url: pathUrl ?? url, task, folder });
  answer({ client }, () => client);
});
