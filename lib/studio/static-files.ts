// Serves the browser app's files, and its page with this launch's token. Nothing outside the folder is served.
import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { ApiError, STUDIO_PROJECT_META, STUDIO_TOKEN_META } from '../contract/index.js';
import { type Fallback, unknownUrl, wrongMethod } from '../http/index.js';
import { findPackage } from '../system/index.js';
import type { StudioDeps } from './deps.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Files named after a hash of their content. */
const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/;
const ALLOW = 'GET, HEAD';

/** The folder of the built browser app. */
export function webFolder(): string {
  return join(findPackage(), 'dist', 'studio-web');
}

export function createStaticFiles({
  folder,
  staticFolder,
  token,
}: Pick<StudioDeps, 'folder' | 'staticFolder' | 'token'>): Fallback {
  const metas = { [STUDIO_TOKEN_META]: token, [STUDIO_PROJECT_META]: nameProject(folder) };
  return async request => {
    const { pathname } = new URL(request.url);
    if (!isFilePath(pathname)) throw unknownUrl(pathname);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw wrongMethod(request.method, pathname, ALLOW);
    const isPage = pathname === '/' || pathname === '/index.html';
    const content = await readInside(staticFolder, isPage ? '/index.html' : pathname);
    if (!content) throw isPage ? notBuilt() : unknownUrl(pathname);
    return answer(request, isPage ? Buffer.from(renderPage(content.toString(), metas)) : content, {
      'content-type': isPage ? TYPES['.html']! : (TYPES[extname(pathname)] ?? 'application/octet-stream'),
      'cache-control': isPage
        ? 'no-store'
        : HASHED.test(pathname)
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
    });
  };
}

function answer({ method }: Request, content: Buffer, headers: Record<string, string>): Response {
  return new Response(method === 'HEAD' ? null : new Uint8Array(content), {
    headers: { ...headers, 'content-length': String(content.byteLength) },
  });
}

/** Null if it is not a file, or is a link that leads out of the folder. */
async function readInside(folder: string, pathname: string): Promise<Buffer | null> {
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, pathname))]);
    return path.startsWith(root + sep) ? await readFile(path) : null;
  } catch (error) {
    if (
      ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP'].includes(
        (error as NodeJS.ErrnoException).code ?? '',
      )
    )
      return null;
    throw error;
  }
}

function notBuilt(): ApiError {
  return new ApiError('unknown_url', 'The browser app has not been built. Run "npm run build".');
}

/** The same at each launch. */
function nameProject(folder: string): string {
  return createHash('sha256').update(folder).digest('base64url').slice(0, 12);
}

/** The page with its meta tags filled in, or added. What they contain is base64url, so it needs no escaping. */
function renderPage(html: string, metas: Readonly<Record<string, string>>): string {
  return Object.entries(metas).reduce((page, [name, content]) => {
    const built = new RegExp(`<meta\\s[^>]*name="${name}"[^>]*>`, 'i');
    const tag = `<meta name="${name}" content="${content}">`;
    return built.test(page)
      ? page.replace(built, () => tag)
      : page.replace(/<head[^>]*>/i, head => `${head}${tag}`);
  }, html);
}

/** Plain names separated by single slashes: no escapes, hidden files or `..`, and the first name is not `api`. */
const FILE_PATH = /^\/(?!api(?:\/|$))(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?$/i;

/** Whether a path can be a file of the browser app. Anything else is treated as API, whether or not the route exists. */
export function isFilePath(pathname: string): boolean {
  return FILE_PATH.test(pathname);
}
