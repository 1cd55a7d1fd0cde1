import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../lib/http/index.js';
import { openStudio, until } from '../harness.js';

/** A page of another origin, which may do what pages may. */
async function servePage(html: string): Promise<string> {
  const headers = { 'content-type': 'text/html' };
  const server = await listen({ fetch: () => new Response(html, { headers }) }, { ports: [0] });
  onTestFinished(() => server.close(0));
  return `http://127.0.0.1:${server.port}/`;
}

const form = (action: string) =>
  `<form method="post" action="${action}" target="answer"><input name="slug" value="x"></form>`;

it('A page of another origin is refused by the token check, as simple POSTs are, reads nothing, and shows Studio in no frame', async () => {
  const { page, studio, sees } = await openStudio('#/jobs', { javaScriptEnabled: true });
  await sees('No jobs yet');
  await until(() => studio.callsOf('getIdentity').length).toBe(1);
  // Chromium complains of what it keeps from such a page, which is the point.
  page.removeAllListeners();
  const calls = studio.calls.length;
  await page.goto(
    await servePage(
      `<!doctype html><iframe src="${studio.url}/"></iframe><iframe name="answer"></iframe>
      ${form(`${studio.url}/api/train`)}${form(`${studio.url}/api/deployments`)}`,
    ),
  );
  const refused = (path: string) =>
    studio.answers.filter(answer => answer.path === path).map(({ status }) => status);
  expect(await page.frames()[1]!.evaluate('document.title')).not.toContain('svc Studio');
  const read = `fetch('${studio.url}/').then(answer => answer.text(), error => String(error))`;
  expect(await page.evaluate<string>(read)).toBe('TypeError: Failed to fetch');

  for (const [index, path] of ['/api/train', '/api/deployments'].entries()) {
    await page.evaluate(`fetch('${studio.url}${path}', { method: 'POST', mode: 'no-cors', body: '{"slug":"stolen"}' })
      .catch(() => {})`);
    await until(() => refused(path)).toEqual([403]);
    await page.evaluate(`document.forms[${index}].submit()`);
    await until(() => refused(path)).toEqual([403, 403]);
  }
  expect(studio.calls).toHaveLength(calls);
});
