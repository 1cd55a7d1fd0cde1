// The dashboard without a terminal: takes keys, keeps the views and what is around them, and gives lines to draw.
import type { OpenEventSource, StudioClient } from '../../../lib/client/index.js';
import { type Location, linkAfterAnswer } from '../../../lib/console/index.js';
import type { Drawn, FieldPlace } from '../drawing/canvas.js';
import type { Glyphs } from '../terminal/glyphs.js';
import type { RunCommand } from '../views/command/command.js';
import { createEndpoint } from '../views/endpoint/endpoint.js';
import { createEndpoints } from '../views/endpoints/endpoints.js';
import { createJob } from '../views/job/job.js';
import { createJobs } from '../views/jobs/jobs.js';
import { createOverview } from '../views/overview/overview.js';
import { createPlayground } from '../views/playground/playground.js';
import { type CommandName, type Commands, findCommand, type Scope } from './bindings.js';
import type { Context, View } from './context.js';
import { createContext } from './create-context.js';
import { exitLine, fateByLink, type JobFate } from './exit-line.js';
import type { Repaint } from './repaint.js';
import { drawScreen } from './screen.js';
import { createShellCommands } from './shell-commands.js';
import { initialShell, reduceShell, type ShellAction, type ShellState } from './shell-state.js';
import { createStore, type Store } from './store.js';

export interface DashboardOptions {
  readonly client: StudioClient;
  readonly openEventSource: OpenEventSource;
  /** Where the browser app is; null when there is none. */
  readonly studioUrl: string | null;
  readonly glyphs: Glyphs;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly repaint: Repaint;
  readonly logFile: string | null;
  /** The overview, unless told otherwise. */
  readonly start?: Location | undefined;
  readonly runCommand?: RunCommand | undefined;
  /** Null when it was opened, else why not. */
  readonly openBrowser?: ((url: string) => Promise<string | null>) | undefined;
  /** Draws the whole screen again: something else wrote on it. */
  redraw(): void;
  /** Null when it was sent to the terminal, else why not. */
  copy(text: string): string | null;
}

export interface Dashboard {
  /** Begins to ask, and shows where it starts. */
  start(): void;
  press(key: string): void;
  /** Whether keys are text now. */
  readonly isTyping: boolean;
  draw(): Drawn;
  resize(columns: number, rows: number): void;
  /** Leaves without asking. */
  leave(): void;
  readonly left: Promise<void>;
  /** One line, until the next key. */
  notify(text: string): void;
  /** The cloud was found to be there by somebody else, who had to ask it. */
  cloudAnswered(): void;
  /** What ran meanwhile, in a line. */
  summary(): string;
}

export type Shell = Store<ShellState, ShellAction>;

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

  /** Another place: the view that one is in is left, the other entered. */
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
    return { ...shellCommands(), ...view().commands, ...shellCommands.atFoot() };
  }

  /** Drawn at once: what is typed next is added to the text that the field was drawn with. */
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
        // A run that cannot be started is explained when it is asked for, but not offered.
        offers: (name: CommandName) => known[name] !== undefined && (name !== 'run' || overview.canRun),
        type: shellCommands.type,
      });
      return { lines, field: field && { ...field, change: text => type(field, text) } };
    },
    resize: (columns, rows) => shell.dispatch({ type: 'resized', columns, rows }),
    summary: () =>
      exitLine({
        status: overview.status,
        trainerName: overview.trainerName,
        fate: fate ?? fateByLink(shell.state.link),
        logFile: options.logFile,
      }),
  };
}

function isSame(a: Location, b: Location): boolean {
  return a.place === b.place && a.id === b.id;
}

/** The view of each location. */
function createViews(context: Context, overview: View): (location: Location) => View {
  const views = {
    overview,
    jobs: createJobs(context),
    playground: createPlayground(context),
    endpoints: createEndpoints(context),
  };
  const details = { jobs: createJob(context), endpoints: createEndpoint(context) };
  return ({ place, id }) =>
    id !== null && (place === 'jobs' || place === 'endpoints') ? details[place] : views[place];
}
