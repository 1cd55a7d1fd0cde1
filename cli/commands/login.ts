// svc login: signs in at the identity provider of the cloud, in a browser here or with a code on another machine.
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
import { exitCode } from '../exit-code.js';
import { toSafeLine, toSafeText } from '../style.js';
import { openBrowser } from './dev/open-browser.js';
import { projectCommand } from './project/project-command.js';

export const run = projectCommand(async ({ values, json, io, session, answer, note }) => {
  // With --json, stdout is for the answer alone.
  const say = json ? note : (line: string) => void io.stdout.write(`${toSafeText(line)}\n`);
  // What is wrong with this folder is said before anybody signs in.
  const state = await session.state();
  const { who, orgs, isSetAside } = await signIn(session, chooseWay(values, io, say));
  const identity = await describeIdentity(session, who);
  answer(identity, () => `You are signed in: ${toSafeLine(identityLine(identity))}\n`);
  if (isSetAside)
    note('Your anonymous identity on this cloud is kept: after "svc logout" it is there again.');
  if (state && !orgs.includes(state.orgSlug))
    note(`! ${stateMismatch(statePath(session.folder), state.orgSlug, orgs.join(', ') || 'none').message}`);
  if (state === null)
    note(`This folder has no project yet. To give it one: "svc link ${identity.orgSlug ?? 'ORG'}/PROJECT"`);
  return exitCode.ok;
});

function chooseWay(values: Input['values'], { env }: Io, say: (line: string) => void): SignInWay {
  if (values.device)
    return (provider, audience) =>
      signInByDevice(provider, audience, ({ url, code, fullUrl }) => {
        say(`Open ${url} in a browser, on any machine, and enter this code: ${code}`);
        if (fullUrl) say(`Or open ${fullUrl}`);
      });
  return (provider, audience) =>
    signInByBrowser(provider, audience, async url => {
      const reason = values['no-browser'] ? null : await openBrowser(url, env);
      const isOpen = !values['no-browser'] && reason === null;
      if (reason !== null) say(`No browser was opened: ${reason}.`);
      say(
        isOpen
          ? `Sign in with the browser that was opened. If none was, open this address:\n${url}`
          : `To sign in, open this address in a browser on this machine:\n${url}`,
      );
    });
}
