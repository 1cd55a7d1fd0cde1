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
  const pages = createApp({ guard, log }).fallback(async request => {
    const url = new URL(request.url);
    if (mcp && isForAgents(url)) return mcp(request);
    return isFilePath(url.pathname) ? serveFile(request) : (await openOnce()).fetch(request);
  });
  let opening: Promise<StudioApi> | undefined;
  let api: StudioApi | undefined;

  function openOnce(): Promise<StudioApi> {
    opening ??= open().catch(error => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function open(): Promise<StudioApi> {
    const { openApi } = await import('./api.js');
    api = await openApi(deps);
    return api;
  }

  return {
    fetch: async request => addSecurityHeaders(await pages.fetch(request)),
    abandon: () => api?.abandon(),
    async close() {
      await opening?.catch(() => {});
      await api?.close();
    },
  };
}
