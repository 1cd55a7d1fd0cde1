// svc logout: ends the session at the identity provider and removes its tokens from this machine.
import { hostOf, signOut } from '../../lib/sdk/index.js';
import { sessionCommand } from './project/session-command.js';

export const run = sessionCommand(async ({ session, answer, note }) => {
  const host = hostOf(await session.choose());
  const signedOut = await signOut(session);
  if (signedOut && signedOut.unrevoked !== null)
    note(`! The session may still be active at the identity provider: ${signedOut.unrevoked}`);
  const document = signedOut && {
    cloud: host,
    mode: signedOut.mode,
    revoked: signedOut.mode === 'oauth' && signedOut.unrevoked === null,
  };
  answer({ signedOut: document }, () =>
    signedOut ? `Signed out of ${host}.\n` : `You were not signed in to ${host}.\n`,
  );
});
