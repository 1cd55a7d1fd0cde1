// The dashboard's public module: Studio in a terminal, full screen, over the same API as the browser app.
import type { DashboardResult, RunDashboardOptions } from './run-dashboard.js';

export type { RunCommand } from './create-dashboard.js';
export type { DashboardResult, RunDashboardOptions, TerminalInput, TerminalOutput } from './run-dashboard.js';

/** Shows the dashboard until it closes and resolves with a line about what ran. */
export async function runDashboard(options: RunDashboardOptions): Promise<DashboardResult> {
  const { run } = await importForProduction(() => import('./run-dashboard.js'));
  return run(options);
}

/**
 * React picks its build when it is loaded; the development build records every update for a profiler and
 * never frees the records. With `DEV=true`, Ink tries to connect to React's developer tools, and on CI it
 * draws nothing until the end. Chalk, which Ink uses for styles, recognizes few terminals by name; since the
 * dashboard handles `NO_COLOR` itself, styles are always on. The environment is restored because trainers
 * inherit it.
 */
async function importForProduction<Module>(load: () => Promise<Module>): Promise<Module> {
  const { NODE_ENV, DEV, CI, CONTINUOUS_INTEGRATION, FORCE_COLOR } = process.env;
  const before = { NODE_ENV, DEV, CI, CONTINUOUS_INTEGRATION, FORCE_COLOR };
  setVariables({
    ...Object.fromEntries(Object.keys(before).map(name => [name, undefined])),
    NODE_ENV: 'production',
    FORCE_COLOR: '1',
  });
  try {
    return await load();
  } finally {
    setVariables(before);
  }
}

function setVariables(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
