// svc keys issue SLUG --label TEXT: a new key. Only its plaintext goes to stdout, so that it can be piped.
import { keyInput } from '../../../lib/contract/index.js';
import { createUsageError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { toSafeLine } from '../../style.js';
import { findDeployment } from '../project/find-deployment.js';
import { assertFits, textOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';

const WHERE = 'keys issue';

export const run = sessionCommand(async input => {
  const { positionals, session, json, answer, note } = input;
  const label = textOption(input, 'label');
  if (label === undefined) throw createUsageError('specify what the key is for: "--label TEXT".', WHERE);
  assertFits(keyInput, { label }, { label: 'option "--label"' }, WHERE);
  const { cloud, deployment } = await findDeployment(session, positionals[0]!);
  const { key } = await cloud.issueDeploymentKey(deployment.id, label);
  if (!json)
    note(`Issued key "${key.label}" for ${deployment.slug}. Copy it now: it will not be shown again.`);
  answer({ key }, () => `${toSafeLine(key.plaintext)}\n`);
  return exitCode.ok;
});
