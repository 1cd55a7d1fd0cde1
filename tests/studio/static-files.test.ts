// The browser app's files: the page with its token, and nothing outside the folder.
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStaticFiles } from '../../lib/studio/static-files.js';
import { openSharedStudio, openStudio, refusalOf, type TestStudio, TOKEN } from './open-studio.js';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <!-- The built file has no token. -->
    <meta name="svc-studio-token" content="" />
    <meta name="svc-studio-project" content="" />
    <title>svc Studio</title>
  </head>
</html>
`;

let test: TestStudio;
beforeAll(async () => {
  test = await openSharedStudio();
  await test.write('web/index.html', PAGE);
  await test.write('web/assets/index-CimbehxD.js', 'export {};');
  await test.write('web/assets/index-CxksBZT-.css', 'a {}');
  await test.write('web/favicon.ico', 'i');
  await test.write('web/.hidden', 'secret');
  await test.write('secret.txt', 'secret');
  await symlink(join(test.root, 'secret.txt'), join(test.root, 'web', 'link.txt'));
  await symlink(test.root, join(test.root, 'web', 'up'));
  await symlink(join(test.root, 'web', 'favicon.ico'), join(test.root, 'web', 'inside.ico'));
});
afterAll(() => test.close());

const TOKEN_TAG = `<meta name="svc-studio-token" content="${TOKEN}">`;
const PROJECT_TAG = /<meta name="svc-studio-project" content="[\w-]{12}">/;

/** Requests without the token, as a browser loads files. */
const get = (path: string, init: RequestInit = {}) =>
  test.call(path, { ...init, headers: { 'x-svc-studio-token': '' } });

describe('the page', () => {
  it.each(['/', '/index.html'])('names the token and the project, and is not cached: %s', async path => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    const withoutProject = text.replace(PROJECT_TAG, '<meta name="svc-studio-project" content="" />');
    expect(text).toMatch(PROJECT_TAG);
    expect(withoutProject).toBe(PAGE.replace('<meta name="svc-studio-token" content="" />', TOKEN_TAG));
    expect(await readFile(join(test.root, 'web', 'index.html'), 'utf8')).toBe(PAGE);
  });

  it('has its token even if the built file has no placeholder', async () => {
    const other = await openStudio();
    await other.write('web/index.html', '<html><head lang="en"><title>x</title></head></html>');
    const text = await (await other.call('/')).text();
    expect(text.replace(PROJECT_TAG, '')).toContain(`<head lang="en">${TOKEN_TAG}<title>`);
  });

  it('names the same project at each launch, and another one in another folder', async () => {
    const nameIn = async (folder: string) => {
      const serve = createStaticFiles({ folder, staticFolder: join(test.root, 'web'), token: TOKEN });
      return PROJECT_TAG.exec(await (await serve(new Request('http://localhost/'))).text())?.[0];
    };
    const [first, again, other] = await Promise.all(['/a', '/a', '/b'].map(nameIn));
    expect(again).toBe(first);
    expect(other).toMatch(PROJECT_TAG);
    expect(other).not.toBe(first);
  });

  it('answers 404 with a hint when the app was not built', async () => {
    const message = expect.stringContaining('not been built');
    expect(await refusalOf(await (await openStudio()).call('/'))).toMatchObject({ status: 404, message });
  });
});

describe('the files', () => {
  it.each([
    ['/assets/index-CimbehxD.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/index-CxksBZT-.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/favicon.ico', 'image/x-icon', 'no-cache'],
    ['/inside.ico', 'image/x-icon', 'no-cache'],
  ])('have their type, and are cached forever if named by their hash: %s', async (path, type, caching) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({ 'content-type': type, 'cache-control': caching });
  });

  it('answer only GET and HEAD', async () => {
    for (const path of ['/', '/favicon.ico']) {
      const head = await get(path, { method: 'HEAD' });
      const length = `${(await (await get(path)).arrayBuffer()).byteLength}`;
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, length, '']);
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const refused = await get(path, { method });
        expect(refused.headers.get('allow')).toBe('GET, HEAD');
        expect((await refusalOf(refused)).code).toBe('method_not_allowed');
      }
    }
  });

  it.each([300, 8000])('answer 404 for a name of %i characters', async length => {
    for (const path of [`/${'a'.repeat(length)}`, '/a'.repeat(length)])
      expect(await refusalOf(await get(path))).toMatchObject({ status: 404, code: 'unknown_url' });
  });

  it.each([
    ...['/nope', '/assets', '/assets/', '/assets/nope.js', '/favicon.ico/x', '/link.txt', '/up/secret.txt'],
    ...['/../secret.txt', '/assets/../../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt'],
    ...['/..%5csecret.txt', '/..\\secret.txt', '/assets/..%2f..%2fsecret.txt', '/%252e%252e/secret.txt'],
    ...['/.hidden', '/favicon.ico%00.txt', '/%00', '/~root', '/C:/secret.txt', '//secret.txt'],
  ])('do not expose anything outside the folder: %s', async path => {
    // Also with the token, when the path may be an API path.
    for (const response of [await get(path), await test.call(path)]) {
      expect([400, 403, 404]).toContain(response.status);
      expect(await response.text()).not.toContain('secret"');
    }
    expect([400, 404]).toContain((await test.call(path)).status);
  });
});
