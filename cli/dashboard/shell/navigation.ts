// Which view is open, and the way from one to another.
import { type Location, toHash } from '../../../lib/console/index.js';
import type { Context, View } from '../core/context.js';
import type { ShellAction } from '../core/shell-state.js';
import { createCluster } from '../views/cluster/cluster.js';
import { createCompare } from '../views/compare/compare.js';
import { createData } from '../views/data/data.js';
import { createDeploymentPage } from '../views/deployment/deployment.js';
import { createDeploymentsPage } from '../views/deployments/deployments.js';
import { createJob } from '../views/job/job.js';
import { createJobs } from '../views/jobs/jobs.js';
import { createKept } from '../views/kept/kept.js';
import { createPlayground } from '../views/playground/playground.js';
import { createRows } from '../views/rows/rows.js';
import type { Shell } from './options.js';

export type Move = Extract<ShellAction, { type: 'went' | 'wentBack' }>;

export interface Navigation {
  /** The open view; a text that is being read covers it. */
  readonly view: View;
  /** Opens the first view. */
  start(): void;
  /** Leaves the current view and enters another. */
  move(action: Move): void;
  leave(): void;
}

export function createNavigation(shell: Shell, context: Context, overview: View): Navigation {
  const viewOf = createViews(context, overview);
  const enter = (location: Location) =>
    viewOf(location).enter(location.compare?.join(',') ?? location.job ?? location.id, location.rows);
  return {
    get view() {
      return shell.state.reader ?? viewOf(shell.state.location);
    },
    start: () => enter(shell.state.location),
    move(action) {
      const before = shell.state.location;
      if (action.type === 'went' && isSame(action.location, before)) return;
      shell.dispatch(action);
      viewOf(before).leave();
      enter(shell.state.location);
    },
    leave() {
      viewOf(shell.state.location).leave();
      shell.state.reader?.leave();
    },
  };
}

function isSame(a: Location, b: Location): boolean {
  return toHash(a) === toHash(b);
}

/** Returns the view for a location. */
function createViews(context: Context, overview: View): (location: Location) => View {
  const jobs = createJobs(context);
  const views = {
    overview,
    jobs,
    playground: createPlayground(context),
    endpoints: createDeploymentsPage(context),
  };
  const details = { jobs: createJob(context, jobs.shown), endpoints: createDeploymentPage(context) };
  const rowsOfJob = createRows(context);
  const data = createData(context);
  const kept = createKept(context);
  const compare = createCompare(context);
  const cluster = createCluster(context);
  return ({ tab, id, rows, requests, compare: compared, data: showsData, cluster: showsCluster }) => {
    if (compared) return compare;
    if (showsData) return data;
    if (showsCluster) return cluster;
    if (requests) return kept;
    if (rows !== undefined) return rowsOfJob;
    return id !== null && (tab === 'jobs' || tab === 'endpoints') ? details[tab] : views[tab];
  };
}
