// svc keys issue SLUG --label TEXT: a new key. Its plaintext is all that stands on stdout, so that it can be piped.
import { keyInput } from '../../../lib/contract/index.js';
import { createUsageError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { toSafeLine } from '../../style.js';
import { findDeployment } from '../project/find-deployment.js';
import { assertFits, textOption } from '../project/option-values.js';
import { projectCommand } from '../project/project-command.js';

const WHERE = 'keys issue';

export const run = projectCommand(async input => {
  const { positionals, session, json, answer, note } = input;
  const label = textOption(input, 'label');
  if (label === undefined) throw createUsageError('say what the key is for: "--label TEXT".', WHERE);
  assertFits(keyInput, { label }, { label: 'option "--label"' }, WHERE);
  const { cloud, deployment } = await findDeployment(session, positionals[0]!);
  const { key } = await cloud.issueDeploymentKey(deployment.id, label);
  if (!json) note(`The key "${key.label}" of ${deployment.slug}. Copy it now: you will not see it again.`);
  answer({ key }, () => `${toSafeLine(key.plaintext)}\n`);
  return exitCode.ok;
});
