// svc keys revoke SLUG KEY_ID: revokes a key. It stays listed.
import type { Key } from '../../../lib/contract/index.js';
import { UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { pickById } from '../project/find.js';
import { sessionCommand } from '../project/session-command.js';
import { agree } from '../terminal/ask.js';
import { findKeyOwner } from './find-owner.js';

export const run = sessionCommand(async input => {
  const { positionals, values } = input;
  if (positionals.length !== (values.project ? 1 : 2)) throw new UsageError('specify one key by its ID.');
  const keyId = positionals.at(-1)!;
  const owner = await findKeyOwner({ ...input, positionals: positionals.slice(0, -1) });
  const { keys } = await owner.list();
  const describe = ({ label, prefix }: Key) => `${label}, ${prefix}…`;
  const { id, ...found } = pickById(keyId, keys, {
    noun: 'key',
    list: `svc keys list ${owner.argument}`,
    describe,
  });
  await agree(
    `Revoke "${found.label}" (${found.prefix}…)? Programs that use it are refused.`,
    input,
    input.io,
    'Nothing was revoked.',
  );
  const { key } = await owner.revoke(id);
  input.answer(
    { key },
    () => `Revoked "${toSafeLine(key.label)}" (${toSafeLine(key.prefix)}…). It stays listed.\n`,
  );
});
