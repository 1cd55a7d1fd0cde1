// A page of another origin calls an endpoint, in a real browser: what its script may send and read.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deployment } from '../../lib/contract/index.js';
import { type Listening, listen } from '../../lib/http/index.js';
import { BASE_MODEL, openSampleCloud, type SampleCloud } from '../cloud/deployments/sample-cloud.js';
import { COMPLETIONS, createSampleEdge } from '../cloud/edge/sample-edge.js';
import { end, saying, scriptedBackend, text } from '../cloud/inference/scripted-backend.js';
import { launchChromium } from '../support/chromium.js';

let browser: Browser;
let page: Page;
let pages: Listening;
let edge: Listening;
let cloud: SampleCloud;
let demo: Deployment;
let key: string;

beforeAll(async () => {
  cloud = await openSampleCloud();
  const sample = createSampleEdge(cloud, scriptedBackend(saying(text('Hello'), text(' there.'), end(3, 2))));
  edge = await listen(
    { fetch: request => sample.edge(request) ?? new Response('', { status: 404 }) },
    { ports: [0] },
  );
  const html = { 'content-type': 'text/html' };
  pages = await listen(
    { fetch: () => new Response('<!doctype html><title>app</title>', { headers: html }) },
    { ports: [0] },
  );
  const target = { kind: 'base_model', baseModel: BASE_MODEL };
  demo = await cloud.publish({ slug: 'demo', target, operations: ['models'] });
  key = (await cloud.issue(demo)).plaintext;
  browser = await launchChromium();
  page = await browser.newPage();
  await page.goto(`http://localhost:${pages.port}/`);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([edge?.close(), pages?.close()]);
  await cloud?.close();
});

interface Call {
  path: string;
  method?: string;
  body?: object;
  key?: string;
}

/** What the page's script is told. */
const callFromPage = ({ path, method = 'POST', body, key: given = key }: Call) =>
  page.evaluate(
    async ({ url, init }) => {
      try {
        const response = await fetch(url, init);
        return {
          status: response.status,
          id: response.headers.get('x-request-id')?.length,
          text: await response.text(),
        };
      } catch (error) {
        return { failure: (error as Error).name };
      }
    },
    {
      url: `http://127.0.0.1:${edge.port}/d/demo${path}`,
      init: {
        method,
        headers: {
          authorization: `Bearer ${given}`,
          'content-type': 'application/json',
          'x-stainless-lang': 'js',
        },
        ...(body && { body: JSON.stringify(body) }),
      },
    },
  );

const allow = (...corsOrigins: string[]) => cloud.call('PATCH', `/${demo.id}`, { corsOrigins });
const chat = { path: COMPLETIONS, body: { messages: [{ role: 'user', content: 'hi' }] } };

it('of an origin that is not allowed reads nothing', async () => {
  for (const origins of [[], ['http://localhost:1'], [`http://127.0.0.1:${pages.port}`]]) {
    await allow(...origins);
    expect(await callFromPage(chat)).toEqual({ failure: 'TypeError' });
  }
});

it('of an allowed origin reads answers, streams, models and refusals', async () => {
  await allow(`http://localhost:${pages.port}`);
  expect(await callFromPage(chat)).toEqual({
    status: 200,
    id: 36,
    text: expect.stringContaining('Hello there.'),
  });
  const streamed = await callFromPage({ ...chat, body: { ...chat.body, stream: true } });
  expect(streamed.text).toMatch(/data: \[DONE\]\n\n$/);
  expect(await callFromPage({ path: '/v1/models', method: 'GET' })).toMatchObject({ status: 200 });
  expect(await callFromPage({ ...chat, key: 'wrong' })).toMatchObject({
    status: 401,
    text: expect.stringContaining('invalid_api_key'),
  });
  expect(await callFromPage({ ...chat, path: '/v1/responses' })).toMatchObject({
    status: 404,
    text: expect.stringContaining('there are /v1/chat/completions'),
  });
});
