// The first launch of the built `svc dev` in an empty home, over a cloud elsewhere, with a page of it open in a
// browser, and over the local cloud: what both ask for and what is written.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { openBaseModel, serveCloud } from '../../lib/cloud/index.js';
import type { StudioFile } from '../../lib/contract/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { openHome } from '../sdk/local-cloud/homes.js';
import { launchChromium } from '../support/chromium.js';
import { PATIENCE_MS } from '../support/patience.js';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
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

let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
});
afterEach(() => project.close());

/** As soon as it says where it is. */
async function readUrl(): Promise<string> {
  const path = join(project.cwd, '.svc', 'studio.json');
  const file = await untilFile(path);
  return (JSON.parse(file) as StudioFile).url;
}

async function openPage(): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${await readUrl()}/#/endpoints`);
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
  screen.press('4');
  await screen.shows('No endpoints yet');
  screen.press('2');
  await screen.shows('No jobs yet');
  screen.press('3');
  await screen.shows('Base model');
  screen.press('q');
  expect(await screen.exited).toBe(0);
  expect(await readdir(join(project.cwd, '.svc'))).not.toContain('state.json');
}

it('every view of both faces opens at the cost of one call, which makes the identity; no project is made', async () => {
  await lookAround('anonymous · anon-');
  expect(project.cloud.calls).toEqual(['POST /v1/auth/anonymous']);
  expect(await readdir(project.home)).toEqual(['credentials.json']);
});

it('the local cloud is asked to prove itself and for an identity, which is made once, and for nothing else', async () => {
  const [home, model] = [await openHome(), await makeModelFolder()];
  const cloud = await serveCloud({
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
  expect(calls.filter(call => call !== 'GET /v1/cloud')).toEqual(['POST /v1/auth/anonymous']);
  expect(await readdir(home.path)).toEqual(['cloud', 'credentials.json']);
});

it('nobody is asked at all for who is signed in', async () => {
  const file = await writeCredentials(project.home, {
    [project.cloud.url]: sampleSignedIn({ orgSlug: 'acme' }),
  });
  const before = await readFile(file, 'utf8');
  await lookAround('oauth · acme');
  expect(project.cloud.calls).toEqual([]);
  expect(await readFile(file, 'utf8')).toBe(before);
});
