// Studio as the dashboard, which calls it like the page does: over HTTP, with this launch's token.
import { join } from 'node:path';
import { createStudioClient } from '../../../lib/client/index.js';
import { nodeEventSource, patientFetch } from '../../../lib/client/node.js';
import { createDashboardScreen, type ScreenOptions } from '../dashboard/dashboard-screen.js';
import type { Face } from './face.js';

export function createDashboardFace(options: Omit<ScreenOptions, 'name' | 'logFolder'>): Face {
  const logFolder = join(options.folder, '.svc', 'logs');
  const { note, cloudAnswered, log, left, open, close } = createDashboardScreen({
    ...options,
    name: 'dev',
    logFolder,
  });
  return {
    note,
    cloudAnswered,
    log,
    left,
    close,
    show({ url, token }) {
      const studio = { baseUrl: url, token };
      open({
        client: createStudioClient({ ...studio, fetch: patientFetch }),
        openEventSource: nodeEventSource(studio),
        studioUrl: url,
      });
    },
    // The dashboard polls the run's status itself.
    onTrain() {},
  };
}
