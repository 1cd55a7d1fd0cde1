// A page of another origin calls an endpoint, in a real browser: what its script may send and read.
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../lib/http/index.js';
import { end, saying, scriptedBackend, text } from '../../cloud/backends/scripted-backend.js';
import { BASE_MODEL, openSampleCloud } from '../../cloud/deployments/sample-cloud.js';
import { COMPLETIONS, createSampleEdge } from '../../cloud/edge/sample-edge.js';
import { newPage } from '../harness.js';

const chat = { path: COMPLETIONS, body: { messages: [{ role: 'user', content: 'hi' }] } };

async function openPage() {
  const cloud = await openSampleCloud();
  onTestFinished(() => cloud.close());
  const sample = createSampleEdge(cloud, scriptedBackend(saying(text('Hello'), text(' there.'), end(3, 2))));
  const serve = async (answer: (request: Request) => Response | Promise<Response>) => {
    const server = await listen({ fetch: answer }, { ports: [0] });
    onTestFinished(() => server.close(0));
    return server.port;
  };
  const edge = await serve(request => sample.edge(request) ?? new Response('', { status: 404 }));
  const html = { 'content-type': 'text/html' };
  const port = await serve(() => new Response('<!doctype html><title>app</title>', { headers: html }));
  const target = { kind: 'base_model', baseModel: BASE_MODEL };
  const demo = await cloud.publish({ slug: 'demo', target, operations: ['models'] });
  const key = (await cloud.issue(demo)).plaintext;
  const page = await newPage();
  onTestFinished(() => page.context().close());
  await page.goto(`http://localhost:${port}/`);
  return {
    port,
    allow: (...corsOrigins: string[]) => cloud.call('PATCH', `/${demo.id}`, { corsOrigins }),
    call: (given: Call) => callFromPage(page, `http://127.0.0.1:${edge}/d/demo`, { key, ...given }),
  };
}

it('A page of another origin that calls an endpoint reads nothing unless its origin is allowed, and then answers, streams, models and refusals', async () => {
  const { port, allow, call } = await openPage();
  for (const origins of [[], ['http://localhost:1'], [`http://127.0.0.1:${port}`]]) {
    await allow(...origins);
    expect(await call(chat)).toEqual({ failure: 'TypeError' });
  }
  await allow(`http://localhost:${port}`);
  expect(await call(chat)).toEqual({ status: 200, id: 36, text: expect.stringContaining('Hello there.') });
  const streamed = await call({ ...chat, body: { ...chat.body, stream: true } });
  expect(streamed.text).toMatch(/data: \[DONE\]\n\n$/);
  expect(await call({ path: '/v1/models', method: 'GET' })).toMatchObject({ status: 200 });
  expect(await call({ ...chat, key: 'wrong' })).toMatchObject({
    status: 401,
    text: expect.stringContaining('invalid_api_key'),
  });
  expect(await call({ ...chat, path: '/v1/responses' })).toMatchObject({
    status: 404,
    text: expect.stringContaining('its owner can add it'),
  });
});

interface Call {
  path: string;
  method?: string;
  body?: object;
  key?: string;
}

/** What the page's script is told. */
function callFromPage(page: Page, base: string, { path, method = 'POST', body, key }: Call) {
  const own = { 'content-type': 'application/json', 'x-stainless-lang': 'js' };
  const headers = { authorization: `Bearer ${key}`, ...own };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const ask = async ({ url, init }: { url: string; init: object }) => {
    try {
      const response = await fetch(url, init);
      const id = response.headers.get('x-request-id')?.length;
      return { status: response.status, id, text: await response.text() };
    } catch (error) {
      return { failure: (error as Error).name };
    }
  };
  return page.evaluate(ask, { url: `${base}${path}`, init });
}
