// svc keys revoke SLUG KEY_ID: the key stops working but stays listed.
import type { Key } from '../../../lib/contract/index.js';
import { exitCode } from '../../exit-code.js';
import { toSafeLine } from '../../style.js';
import { findDeployment } from '../project/find-deployment.js';
import { pickById } from '../project/pick.js';
import { sessionCommand } from '../project/session-command.js';

export const run = sessionCommand(async ({ positionals: [slug, keyId], session, answer }) => {
  const { cloud, deployment } = await findDeployment(session, slug!);
  const { keys } = await cloud.listDeploymentKeys(deployment.id);
  const describe = ({ label, prefix }: Key) => `${label}, ${prefix}…`;
  const list = `svc keys list ${deployment.slug}`;
  const { id } = pickById(keyId!, keys, { noun: 'key', list, describe });
  const { key } = await cloud.revokeDeploymentKey(deployment.id, id);
  answer(
    { key },
    () => `Revoked "${toSafeLine(key.label)}" (${toSafeLine(key.prefix)}…). It stays listed.\n`,
  );
  return exitCode.ok;
});
