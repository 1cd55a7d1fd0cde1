// svc keys issue SLUG --label TEXT: issues a key. Only the plaintext goes to stdout, so that it can be piped.
import { keyInput } from '../../../lib/contract/index.js';
import { UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { assertFits, textOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { findKeyOwner } from './find-owner.js';

export const run = sessionCommand(async input => {
  const { json, answer, note } = input;
  const label = textOption(input, 'label');
  if (label === undefined) throw new UsageError('specify what the key is for: "--label TEXT".');
  assertFits(keyInput, { label }, { label: 'option "--label"' });
  const owner = await findKeyOwner(input, { creates: true });
  const { key } = await owner.issue(label);
  if (!json) {
    note(`Issued key "${key.label}" for ${owner.name}. Copy it now: it will not be shown again.`);
    note(await owner.explainUse(key.plaintext));
  }
  answer({ key }, () => `${toSafeLine(key.plaintext)}\n`);
});
