import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStudio, until } from '../harness.js';

/** A page of another origin, which may do what pages may. */
async function servePage(html: string): Promise<string> {
  const server: Server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Goes there from Studio, in a context of its own, since it may be gone elsewhere when the test ends. */
async function openForeignPage(toHtml: (studioUrl: string) => string) {
  const opened = await openStudio('#/jobs', { javaScriptEnabled: true });
  const { page, studio } = opened;
  await page.getByText('No jobs yet').waitFor();
  // Chromium complains of what it keeps from such a page, which is the point.
  page.removeAllListeners('console');
  const [calls, answers] = [studio.calls.length, studio.answers.length];
  await page.goto(await servePage(toHtml(studio.url)));
  return {
    ...opened,
    newCalls: () => studio.calls.slice(calls),
    newAnswers: () => studio.answers.slice(answers).sort((a, b) => a.path.localeCompare(b.path)),
  };
}

describe('A page of another origin', () => {
  it('Cross-origin simple POSTs (`text/plain`) are rejected by the token check.', async () => {
    const { page, studio, newAnswers, newCalls } = await openForeignPage(() => '<!doctype html>');
    await page.evaluate(
      `Promise.all(['train', 'deployments'].map(route => fetch('${studio.url}/api/' + route, {
        method: 'POST', mode: 'no-cors', body: '{"slug":"stolen"}' }).catch(() => {})))`,
    );
    await until(newAnswers).toEqual([
      { path: '/api/deployments', status: 403 },
      { path: '/api/train', status: 403 },
    ]);
    expect(newCalls()).toEqual([]);
  });

  it.each(['/api/train', '/api/deployments'])(
    'Cross-origin URL-encoded POSTs are rejected by the token check: %s',
    async path => {
      const { page, newAnswers, newCalls } = await openForeignPage(
        url =>
          `<!doctype html><form method="post" action="${url}${path}"><input name="slug" value="x"></form>`,
      );
      await page.evaluate('document.forms[0].submit()');
      await until(newAnswers).toEqual([{ path, status: 403 }]);
      expect(newCalls()).toEqual([]);
    },
  );

  it('No CORS: nothing can be read from there, and no frame shows Studio.', async () => {
    const { page, studio } = await openForeignPage(url => `<!doctype html><iframe src="${url}/"></iframe>`);
    const read = await page.evaluate<string>(
      `fetch('${studio.url}/').then(answer => answer.text(), error => String(error))`,
    );
    expect(read).toBe('TypeError: Failed to fetch');
    expect(await page.frames()[1]!.evaluate('document.title')).not.toContain('svc Studio');
  });
});
