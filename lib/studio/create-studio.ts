// Studio as a fetch function: the browser app and the loopback API behind their guards.
import { createApp } from '../http/index.js';
import type { StudioApi } from './api.js';
import type { StudioDeps } from './deps.js';
import { addSecurityHeaders, createGuard, createUserGuard, isForAgents } from './guard.js';
import { createStaticFiles, isFilePath } from './static-files.js';

export interface Studio {
  fetch(request: Request): Promise<Response>;
  /** Stops every process it started. Jobs in the cloud keep running. */
  close(): Promise<void>;
  /** Like `close`, without waiting, for a process that is exiting. */
  abandon(): void;
}

export function createStudio(deps: StudioDeps): Studio {
  const { mcp, token, log } = deps;
  const serveFile = createStaticFiles(deps);
  const refuseOtherUsers = createUserGuard();
  const checkAddressAndToken = createGuard(token);
  const guard = async (request: Request) => {
    await refuseOtherUsers(request);
    checkAddressAndToken(request);
  };
  const pages = createApp({ guard, log }).fallback(request =>
    mcp && isForAgents(new URL(request.url)) ? mcp(request) : serveFile(request),
  );
  let opening: Promise<StudioApi> | undefined;
  let api: StudioApi | undefined;

  async function open(): Promise<StudioApi> {
    const { openApi } = await import('./api.js');
    api = await openApi(deps, { guard, fallback: serveFile });
    return api;
  }

  async function answer(request: Request): Promise<Response> {
    if (isForPages(request)) return pages.fetch(request);
    opening ??= open();
    return (await opening).fetch(request);
  }

  return {
    fetch: async request => addSecurityHeaders(await answer(request)),
    abandon: () => api?.abandon(),
    async close() {
      await (await opening)?.close();
    },
  };
}

/** Including what has no valid address, which no part of Studio answers. */
function isForPages({ url }: Request): boolean {
  return !URL.canParse(url) || isFilePath(new URL(url).pathname);
}
