// The first launch of the built `svc dev` in an empty home, over a cloud elsewhere, with a page of it open in a
// browser, and over the local cloud: what both ask for and what is written.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openBaseModel, runCloud } from '../../lib/cloud/index.js';
import type { StudioFile } from '../../lib/contract/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { projectOfEach } from '../cli/support/project.js';
import { openHome } from '../sdk/local-cloud/homes.js';
import { launchChromium } from '../support/chromium.js';
import { PATIENCE_MS } from '../support/patience.js';
import { sampleSignedIn } from '../support/samples.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { untilFile } from '../support/until-file.js';
import { writeCredentials } from '../support/write-credentials.js';
import { openSvc } from './support/open-svc.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const project = projectOfEach();

/** As soon as it says where it is. */
async function openPage() {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  page.setDefaultTimeout(PATIENCE_MS);
  const { url } = JSON.parse(await untilFile(project.path('.svc', 'studio.json'))) as StudioFile;
  await page.goto(`${url}/#/endpoints`);
  return page;
}

/** Opens both faces at once, looks at every view of both, and leaves. */
async function lookAround(
  identity: string,
  where = new URL(project.cloud.url).host,
  env: Record<string, string> = project.env,
): Promise<void> {
  const screen = openSvc(['dev', '--port', '0'], { cwd: project.cwd, env });
  const [page] = await Promise.all([openPage(), screen.shows('1 Overview', identity, where)]);
  await page.getByText('No endpoints yet').waitFor();
  await page.getByText(identity).waitFor();
  for (const view of ['Overview', 'Jobs', 'Playground', 'Endpoints']) {
    await page.getByRole('link', { name: view, exact: true }).click();
    await page.getByRole('heading', { name: view, level: 1 }).waitFor();
  }
  for (const [key, shown] of [
    ['4', 'No endpoints yet'],
    ['2', 'No jobs yet'],
    ['3', 'Base model'],
  ] as const) {
    screen.press(key);
    await screen.shows(shown);
  }
  screen.press('q');
  expect(await screen.exited).toBe(0);
  expect(readdirSync(project.path('.svc'))).not.toContain('state.json');
}

it('every view of both faces opens at the cost of one call, which makes the identity; no project is made', async () => {
  await lookAround('anonymous · anon-');
  expect(project.cloud.calls).toEqual(['POST /v1/auth/anonymous']);
  expect(readdirSync(project.home)).toEqual(['credentials.json']);
});

it('the local cloud is asked to prove itself, for its base model and for an identity, which is made once, and for nothing else', async () => {
  const [home, model] = [await openHome(), await makeModelFolder()];
  const cloud = await runCloud({
    folder: home.folder,
    version: packageJson.version,
    baseModel: openBaseModel(model, 'test/model'),
    firstPort: Number(home.env.SVC_CLOUD_PORT),
  });
  const calls: string[] = [];
  const record = (message: unknown) => {
    const { method, url, socket } = (message as { request: IncomingMessage }).request;
    if (socket.localPort === cloud.port) calls.push(`${method} ${url!.split('?')[0]}`);
  };
  subscribe('http.server.request.start', record);
  onTestFinished(async () => {
    unsubscribe('http.server.request.start', record);
    cloud.stop();
    await cloud.ended;
    await home.close();
    await rm(model, { recursive: true });
  });
  await lookAround('anonymous · anon-', '· local', { SVC_HOME: home.path });
  const forAnyone = ['GET /v1/cloud', 'GET /v1/base-model'];
  expect(calls.filter(call => !forAnyone.includes(call))).toEqual(['POST /v1/auth/anonymous']);
  expect(readdirSync(home.path)).toEqual(['cloud', 'credentials.json']);
});

it('nobody is asked at all for who is signed in', async () => {
  const identity = sampleSignedIn({ orgSlug: 'acme' });
  const file = await writeCredentials(project.home, { [project.cloud.url]: identity });
  const before = readFileSync(file, 'utf8');
  await lookAround('oauth · acme');
  expect(project.cloud.calls).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe(before);
});
