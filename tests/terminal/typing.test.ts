// What is typed into the form of an endpoint of the built `svc dev`, in a real terminal, is what the cloud gets.
import { expect, it, onTestFinished } from 'vitest';
import { openRemoteProject } from '../support/remote-project.js';
import { JOB_ID } from '../support/samples.js';
import { openSvc } from './support/open-svc.js';

const times = (count: number, key: string) => Array.from({ length: count }, () => key);
const inField = (label: string, text: string) => new RegExp(`${label} +${text}$`, 'm');

it('keys that come at once, key by key, or as a paste are all taken, in their order', async () => {
  const project = await openRemoteProject();
  onTestFinished(project.close);
  await project.link();
  const screen = openSvc(['dev', '--port', '0'], project);
  await screen.shows('1 Overview');
  screen.press('4');
  await screen.shows('No endpoints yet');
  screen.press('n', ...'mnopqrstuvwx', ...times(8, 'backspace'), 'left', 'left', ...'ab');
  await screen.shows(inField('Slug', 'mnabop'));
  screen.press('right', 'right');
  for (const typed of ['x', 'xy', 'xyz']) {
    screen.press(typed.at(-1)!);
    await screen.shows(inField('Slug', `mnabop${typed}`));
  }
  screen.press('tab', 'tab', `\u001b[200~${JOB_ID}\u001b[201~`);
  await screen.shows(inField('Job ID', JOB_ID));
  screen.press(...times(12, 'backspace'));
  await screen.shows(inField('Job ID', JOB_ID.slice(0, -12)));
  screen.press(...JOB_ID.slice(-12), 'ctrl-s');
  await screen.shows('Created endpoint mnabopxyz.');
  const target = { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } };
  expect(project.cloud.deployments).toMatchObject([{ slug: 'mnabopxyz', target }]);
});
