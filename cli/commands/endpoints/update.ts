// What the commands that change an endpoint have in common.
import type { EndpointPatch } from '../../../lib/contract/index.js';
import type { CommandModule } from '../../command.js';
import { exitCode } from '../../exit-code.js';
import { findDeployment } from '../project/find-deployment.js';
import { type ProjectContext, projectCommand } from '../project/project-command.js';
import { renderEndpoint } from './endpoint-text.js';

type ReadPatch = (context: ProjectContext) => EndpointPatch | Promise<EndpointPatch>;

export function updateCommand(readPatch: ReadPatch): CommandModule['run'] {
  return projectCommand(async context => {
    const { positionals, session, screen, answer } = context;
    const patch = await readPatch(context);
    const { cloud, deployment: found } = await findDeployment(session, positionals[0]!);
    const { deployment } = await cloud.updateDeployment(found.id, patch);
    answer({ deployment }, () => renderEndpoint(deployment, screen));
    return exitCode.ok;
  });
}
