// svc link ORG/PROJECT: writes this folder's state file for signed-in users, for whom it is never created
// automatically.
import { relative } from 'node:path';
import { linkProject, statePath } from '../../lib/sdk/index.js';
import { UsageError } from '../command.js';
import { notSignedIn } from './project/project-client.js';
import { sessionCommand } from './project/session-command.js';

export const run = sessionCommand(async ({ positionals: [typed = ''], io, session, answer }) => {
  const [orgSlug, projectSlug, ...rest] = typed.split('/');
  if (!orgSlug || !projectSlug || rest.length > 0)
    throw new UsageError(`expected an organization and a project, as in acme/web, not "${typed}".`);
  if (!(await session.credentials())) throw await notSignedIn(session);
  const { state, isNew } = await linkProject(session, { orgSlug, projectSlug });
  const file = relative(io.cwd, statePath(io.cwd));
  answer({ state, created: isNew }, () => {
    const created = isNew ? 'Created the project. ' : '';
    return `${created}Linked this folder to ${orgSlug}/${projectSlug}: ${file}\n`;
  });
});
