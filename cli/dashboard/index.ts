// The dashboard's public module: Studio in a terminal, full screen, over the same API as the browser app.
import type { DashboardResult, RunDashboardOptions } from './run-dashboard.js';

export type { DashboardResult, RunDashboardOptions, TerminalInput, TerminalOutput } from './run-dashboard.js';
export type { RunCommand } from './views/readers/command.js';

/** Shows the dashboard until it closes and resolves with a line about what ran. */
export async function runDashboard(options: RunDashboardOptions): Promise<DashboardResult> {
  const { run } = await importForProduction(() => import('./run-dashboard.js'));
  return run(options);
}

/**
 * React chooses its build when it is loaded; the development build records every update for a profiler and never frees the
 * records. Only a test runner needs that build. With `DEV=true`, Ink tries to connect to React's developer tools. The
 * environment is restored because trainers are started with it.
 */
async function importForProduction<Module>(load: () => Promise<Module>): Promise<Module> {
  const { NODE_ENV, DEV } = process.env;
  if (NODE_ENV !== 'test') process.env.NODE_ENV = 'production';
  delete process.env.DEV;
  try {
    return await load();
  } finally {
    putBack({ NODE_ENV, DEV });
  }
}

function putBack(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
