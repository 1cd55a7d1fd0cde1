// svc endpoints delete SLUG: takes an endpoint offline. Its slug stays reserved for the organization.
import { toSafeLine } from '../../style.js';
import { findDeployment } from '../project/find.js';
import { sessionCommand } from '../project/session-command.js';
import { agree } from '../terminal/ask.js';

export const run = sessionCommand(async ({ session, answer, io, ...input }) => {
  const { cloud, deployment: found } = await findDeployment(session, input.positionals[0]!);
  await agree(`Delete ${found.slug}? Its URL stops working, and its keys are gone.`, input, io);
  const { deployment } = await cloud.deleteDeployment(found.id);
  answer({ deployment }, () => `Deleted ${toSafeLine(deployment.slug)}. Its slug stays reserved for you.\n`);
});
