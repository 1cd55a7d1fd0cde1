// svc login, logout, whoami and link: who you are on a cloud, and which project this folder belongs to.

import { relative } from 'node:path';
import { identityLine } from '../../lib/console/index.js';
import {
  describeIdentity,
  hasEnded,
  hostOf,
  linkProject,
  type SignInWay,
  sessionEnded,
  signIn,
  signInByBrowser,
  signInByDevice,
  signOut,
  stateMismatch,
  statePath,
} from '../../lib/sdk/index.js';
import { type Input, type Io, UsageError } from '../command.js';
import { printLine } from '../print.js';
import { toSafeLine } from '../style.js';
import { notSignedIn } from './project/project-client.js';
import { sessionCommand } from './project/session-command.js';
import { openBrowser } from './terminal/open-browser.js';

/** Signs in with the cloud's identity provider, in a browser here or with a code on another machine. */
export const logIn = sessionCommand(async ({ values, json, io, session, answer, note }) => {
  // With --json, stdout carries only the result.
  const say = json ? note : (line: string) => printLine(io.stdout, line, io.env);
  // Read first, so that a problem with this folder is reported before the user signs in.
  const state = await session.state();
  const { who, orgs, isSetAside } = await signIn(session, chooseWay(values, io, say));
  const identity = await describeIdentity(session, who);
  answer(identity, () => `Signed in: ${toSafeLine(identityLine(identity))}\n`);
  if (isSetAside) note('Your anonymous identity on this cloud is kept; "svc logout" switches back to it.');
  if (state && !orgs.includes(state.orgSlug))
    note(`! ${stateMismatch(statePath(session.folder), state.orgSlug, orgs.join(', ') || 'none').message}`);
  if (state === null)
    note(`This folder has no project yet. To link one, run "svc link ${identity.orgSlug ?? 'ORG'}/PROJECT".`);
});

function chooseWay(values: Input['values'], { env }: Io, say: (line: string) => void): SignInWay {
  if (values.device)
    return (provider, audience) =>
      signInByDevice(provider, audience, ({ url, code, fullUrl }) => {
        say(`Open ${url} in a browser on any machine and enter this code: ${code}`);
        if (fullUrl) say(`Or open ${fullUrl}`);
      });
  return (provider, audience) =>
    signInByBrowser(provider, audience, async url => {
      const reason = values['no-browser'] ? null : await openBrowser(url, env);
      const isOpen = !values['no-browser'] && reason === null;
      if (reason !== null) say(`Could not open a browser: ${reason}.`);
      say(
        isOpen
          ? `Sign in with the browser that just opened. If none did, open this URL:\n${url}`
          : `To sign in, open this URL in a browser on this machine:\n${url}`,
      );
    });
}

/** Ends the session at the identity provider and removes its tokens from this machine. */
export const logOut = sessionCommand(async ({ session, answer, note }) => {
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

/** Makes no network calls. */
export const showIdentity = sessionCommand(async ({ session, answer }) => {
  const who = await session.credentials();
  if (!who) throw await notSignedIn(session);
  if (who.mode === 'oauth' && hasEnded(who, Date.now())) throw sessionEnded(who.issuer);
  const identity = await describeIdentity(session, who);
  answer(identity, () => `${toSafeLine(identityLine(identity))}\n`);
});

/** Writes this folder's state file for signed-in users, for whom it is never created automatically. */
export const link = sessionCommand(async ({ positionals: [typed = ''], io, session, answer }) => {
  const [orgSlug, projectSlug, ...rest] = typed.split('/');
  if (!orgSlug || !projectSlug || rest.length > 0)
    throw new UsageError(`expected an organization and a project, as in acme/web, not "${typed}".`);
  if (!(await session.credentials())) throw await notSignedIn(session);
  const { state, isNew } = await linkProject(session, { orgSlug, projectSlug });
  const file = relative(io.cwd, statePath(io.cwd));
  answer({ state, created: isNew }, () => {
    const created = isNew ? 'Created the project. ' : '';
    return `${created}Linked this folder to ${orgSlug}/${projectSlug}: ${file}\n`;
  });
});
