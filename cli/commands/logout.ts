// svc logout: ends the session at its identity provider, and removes what is known of it here.
import { hostOf, signOut } from '../../lib/sdk/index.js';
import { exitCode } from '../exit-code.js';
import { projectCommand } from './project/project-command.js';

export const run = projectCommand(async ({ session, answer, note }) => {
  const host = hostOf(await session.choose());
  const signedOut = await signOut(session);
  if (signedOut && signedOut.unrevoked !== null)
    note(`! The session may go on at its identity provider: ${signedOut.unrevoked}`);
  const document = signedOut && {
    cloud: host,
    mode: signedOut.mode,
    revoked: signedOut.mode === 'oauth' && signedOut.unrevoked === null,
  };
  answer({ signedOut: document }, () =>
    signedOut ? `You have signed out of ${host}.\n` : `You were not signed in on ${host}.\n`,
  );
  return exitCode.ok;
});
