import { type Location, linkAfterAnswer } from '../../../lib/console/index.js';
import { type CommandName, type Commands, findCommand, type Scope } from '../core/bindings.js';
import type { Context, View } from '../core/context.js';
import { exitLine, fateByLink, type JobFate } from '../core/exit-line.js';
import { drawScreen } from '../core/screen.js';
import { initialShell, reduceShell, type ShellAction } from '../core/shell-state.js';
import { createStore } from '../core/store.js';
import type { Drawn, FieldPlace } from '../drawing/canvas.js';
import { createDeploymentPage } from '../views/deployment/deployment.js';
import { createDeploymentsPage } from '../views/deployments/deployments.js';
import { createJob } from '../views/job/job.js';
import { createJobs } from '../views/jobs/jobs.js';
import { createOverview } from '../views/overview/overview.js';
import { isReady } from '../views/overview/state.js';
import { createPlayground } from '../views/playground/playground.js';
import { createContext } from './create-context.js';
import type { DashboardOptions } from './options.js';
import { createShellCommands } from './shell-commands.js';

export interface Dashboard {
  /** Starts fetching and opens the first view. */
  start(): void;
  press(key: string): void;
  /** Whether keys are typed as text now. */
  readonly isTyping: boolean;
  draw(): Drawn;
  resize(columns: number, rows: number): void;
  /** Closes without asking. */
  leave(): void;
  readonly left: Promise<void>;
  /** Shows one line until the next key press. */
  notify(text: string): void;
  /** Something outside the dashboard got a response from the cloud. */
  cloudAnswered(): void;
  /** What ran meanwhile, in one line. */
  summary(): string;
}

export function createDashboard(options: DashboardOptions): Dashboard {
  const { repaint, glyphs, studioUrl, size } = options;
  const ending = new AbortController();
  let fate: JobFate | undefined;
  const shell = createStore(reduceShell, initialShell({ ...size, location: options.start }), repaint.request);
  const { context, keeper } = createContext({ options, shell, signal: ending.signal, move });
  const overview = createOverview(context);
  const viewOf = createViews(context, overview);
  const left = new Promise<void>(resolve =>
    ending.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const shellCommands = createShellCommands({
    options,
    shell,
    context,
    overview,
    move,
    scopes: () => view().scopes,
    leave,
  });

  function view(): View {
    return shell.state.reader ?? viewOf(shell.state.location);
  }

  /** Leaves the current view and enters another. */
  function move(action: Extract<ShellAction, { type: 'went' | 'wentBack' }>): void {
    const before = shell.state.location;
    if (action.type === 'went' && isSame(action.location, before)) return;
    shell.dispatch(action);
    const { location } = shell.state;
    viewOf(before).leave();
    viewOf(location).enter(location.id);
  }

  function scopes(): readonly Scope[] {
    const { question, prompt } = shell.state;
    if (question) return ['question'];
    return prompt ? [prompt.scope, 'typing'] : view().scopes;
  }

  function commands(): Commands {
    return { ...shellCommands(), ...view().commands(), ...shellCommands.atFoot() };
  }

  /** Redraws immediately, because the next input is appended to the text that was last drawn. */
  function type(field: FieldPlace, text: string): void {
    shell.dispatch({ type: 'calmed' });
    field.change(text);
    repaint.flush();
  }

  function leave(known?: JobFate): void {
    fate ??= known;
    viewOf(shell.state.location).leave();
    shell.state.reader?.leave();
    ending.abort();
  }

  return {
    left,
    leave: () => leave(),
    notify: text => context.notify(text),
    cloudAnswered: () => shell.dispatch({ type: 'linked', link: linkAfterAnswer(shell.state.link, true) }),
    start() {
      const { location } = shell.state;
      void keeper.ask();
      viewOf(location).enter(location.id);
    },
    press(key) {
      shell.dispatch({ type: 'calmed' });
      const known = commands();
      const command = findCommand(scopes(), key, name => known[name] !== undefined);
      if (command) known[command]?.();
      repaint.flush();
    },
    get isTyping() {
      const { question, prompt } = shell.state;
      return !question && (prompt !== null || view().isTyping === true);
    },
    draw() {
      const known = commands();
      const { lines, field } = drawScreen({
        shell: shell.state,
        view: view(),
        studioUrl,
        glyphs,
        scopes: scopes(),
        // A run that cannot start is not offered; pressing its key explains why.
        offers: (name: CommandName) =>
          known[name] !== undefined && (name !== 'run' || isReady(overview.state)),
        type: shellCommands.type,
      });
      return { lines, field: field && { ...field, change: text => type(field, text) } };
    },
    resize: (columns, rows) => shell.dispatch({ type: 'resized', columns, rows }),
    summary: () =>
      exitLine({
        status: overview.state.status,
        trainerName: overview.state.trainer?.name ?? null,
        fate: fate ?? fateByLink(shell.state.link),
        logFile: options.logFile,
      }),
  };
}

function isSame(a: Location, b: Location): boolean {
  return a.tab === b.tab && a.id === b.id;
}

/** Returns the view for a location. */
function createViews(context: Context, overview: View): (location: Location) => View {
  const views = {
    overview,
    jobs: createJobs(context),
    playground: createPlayground(context),
    endpoints: createDeploymentsPage(context),
  };
  const details = { jobs: createJob(context), endpoints: createDeploymentPage(context) };
  return ({ tab, id }) =>
    id !== null && (tab === 'jobs' || tab === 'endpoints') ? details[tab] : views[tab];
}
