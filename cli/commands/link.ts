// svc link ORG/PROJECT: writes the state file of this folder, for those to whom nobody else writes it.
import { relative } from 'node:path';
import { linkProject, statePath } from '../../lib/sdk/index.js';
import { createUsageError } from '../command-error.js';
import { exitCode } from '../exit-code.js';
import { notSignedIn } from './identity/not-signed-in.js';
import { projectCommand } from './project/project-command.js';

export const run = projectCommand(async ({ positionals: [typed = ''], io, session, answer }) => {
  const [orgSlug, projectSlug, ...rest] = typed.split('/');
  if (!orgSlug || !projectSlug || rest.length > 0)
    throw createUsageError(`"${typed}" is not an organisation and a project: acme/web.`, 'link');
  if (!(await session.credentials())) throw await notSignedIn(session);
  const { state, isNew } = await linkProject(session, { orgSlug, projectSlug });
  const file = relative(io.cwd, statePath(io.cwd));
  answer({ state, created: isNew }, () => {
    const created = isNew ? 'The project was created. ' : '';
    return `${created}This folder is ${orgSlug}/${projectSlug}: ${file}\n`;
  });
  return exitCode.ok;
});
