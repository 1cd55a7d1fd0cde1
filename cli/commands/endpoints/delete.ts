// svc endpoints delete SLUG: takes it down. Its slug stays reserved for the organization.
import { exitCode } from '../../exit-code.js';
import { toSafeLine } from '../../style.js';
import { findDeployment } from '../project/find-deployment.js';
import { sessionCommand } from '../project/session-command.js';

export const run = sessionCommand(async ({ positionals, session, answer }) => {
  const { cloud, deployment: found } = await findDeployment(session, positionals[0]!);
  const { deployment } = await cloud.deleteDeployment(found.id);
  answer({ deployment }, () => `Deleted ${toSafeLine(deployment.slug)}. Its slug stays reserved for you.\n`);
  return exitCode.ok;
});
