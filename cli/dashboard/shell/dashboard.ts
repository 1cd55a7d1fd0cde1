// The dashboard: its parts put together, without a terminal.
import { linkAfterAnswer } from '../../../lib/console/index.js';
import { createDoneWatch } from '../core/done-watch.js';
import { exitLine, fateByLink, type JobFate } from '../core/exit-line.js';
import { initialShell, reduceShell } from '../core/shell-state.js';
import { createStore } from '../core/store.js';
import { createOverview } from '../views/overview/overview.js';
import { createContext } from './create-context.js';
import { createNavigation, type Move } from './navigation.js';
import type { DashboardOptions } from './options.js';
import { createShellCommands } from './shell-commands.js';
import { createSurface, type Surface } from './surface.js';

export interface Dashboard extends Surface {
  /** Starts fetching and opens the first view. */
  start(): void;
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
  const ending = new AbortController();
  const left = new Promise<void>(resolve =>
    ending.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let fate: JobFate | undefined;
  const { shell, context, keeper, overview, navigation } = createParts(options, ending.signal);
  const shellCommands = createShellCommands({ options, shell, context, overview, navigation, leave });
  const surface = createSurface({ options, shell, overview, navigation, shellCommands });

  const doneWatch = options.ring ? createDoneWatch(context, options.ring) : null;

  function leave(known?: JobFate): void {
    fate ??= known;
    doneWatch?.stop();
    navigation.leave();
    ending.abort();
  }

  return {
    ...surface,
    left,
    leave: () => leave(),
    notify: text => context.notify(text),
    cloudAnswered: () => shell.dispatch({ type: 'linked', link: linkAfterAnswer(shell.state.link, true) }),
    start() {
      void keeper.ask();
      navigation.start();
      doneWatch?.start();
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

function createParts(options: DashboardOptions, signal: AbortSignal) {
  const start = initialShell({ ...options.size, location: options.start });
  const shell = createStore(reduceShell, start, options.repaint.request);
  const move = (action: Move) => navigation.move(action);
  const { context, keeper } = createContext({ options, shell, signal, move });
  const overview = createOverview(context);
  const navigation = createNavigation(shell, context, overview);
  return { shell, context, keeper, overview, navigation };
}
