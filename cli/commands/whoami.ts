// svc whoami: shows the identity, its cloud and project. Makes no network calls.
import { identityLine } from '../../lib/console/index.js';
import { describeIdentity, hasEnded, sessionEnded } from '../../lib/sdk/index.js';
import { toSafeLine } from '../style.js';
import { notSignedIn } from './project/project-client.js';
import { sessionCommand } from './project/session-command.js';

export const run = sessionCommand(async ({ session, answer }) => {
  const who = await session.credentials();
  if (!who) throw await notSignedIn(session);
  if (who.mode === 'oauth' && hasEnded(who, Date.now())) throw sessionEnded(who.issuer);
  const identity = await describeIdentity(session, who);
  answer(identity, () => `${toSafeLine(identityLine(identity))}\n`);
});
