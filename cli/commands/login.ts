// svc login: signs in with the cloud's identity provider, in a browser here or with a code on another machine.
import { identityLine } from '../../lib/console/index.js';
import {
  describeIdentity,
  type SignInWay,
  signIn,
  signInByBrowser,
  signInByDevice,
  stateMismatch,
  statePath,
} from '../../lib/sdk/index.js';
import type { Input, Io } from '../command.js';
import { printLine } from '../print.js';
import { toSafeLine } from '../style.js';
import { sessionCommand } from './project/session-command.js';
import { openBrowser } from './terminal/open-browser.js';

export const run = sessionCommand(async ({ values, json, io, session, answer, note }) => {
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
