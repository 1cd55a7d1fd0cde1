// svc endpoints show SLUG: one endpoint and how to call it.
import { quickStart } from '../../../lib/console/index.js';
import { exitCode } from '../../exit-code.js';
import { toSafeText } from '../../style.js';
import { findDeployment } from '../project/find-deployment.js';
import { sessionCommand } from '../project/session-command.js';
import { renderDeployment } from './deployment-text.js';

export const run = sessionCommand(async ({ positionals, session, screen, answer }) => {
  const { deployment } = await findDeployment(session, positionals[0]!);
  answer(
    { deployment },
    () => `${renderDeployment(deployment, screen)}\n${toSafeText(quickStart('curl', deployment))}\n`,
  );
  return exitCode.ok;
});
