// The dashboard without what it looks like: the calls to Studio, who one is, whether the cloud answers, and what views keep.
import type { OpenEventSource, StudioClient } from '../../lib/client/index.js';
import { type Clock, realClock } from '../../lib/clock/index.js';
import {
  createDoneWatch,
  createIdentityWatch,
  createLinkWatch,
  errorText,
  exitLine,
  fateByLink,
  type JobFate,
  type Location,
  toHash,
} from '../../lib/console/index.js';
import type { Dashboard } from './dashboard-context.js';
import { initialShell, type ShellState, stepBack, stepTo } from './state/shell-state.js';
import { createStore, merged, type Store } from './state/store.js';
import { createTraining } from './state/training.js';

export interface DashboardOptions {
  readonly client: StudioClient;
  readonly clock?: Clock | undefined;
  readonly openEventSource: OpenEventSource;
  /** The URL of the browser app; null if there is none. */
  readonly studioUrl: string | null;
  readonly logFile: string | null;
  /** The first view; the overview by default. */
  readonly start?: Location | undefined;
  readonly runCommand?: RunCommand | undefined;
  /** Null on success, otherwise the reason. */
  readonly openBrowser?: ((url: string) => Promise<string | null>) | undefined;
  /** Appends rows to a file. Null on success, otherwise the reason. */
  readonly saveRows?: ((file: string, rows: string) => Promise<string | null>) | undefined;
  /** Tells outside of the screen that a run has ended; without it, nobody wants to know. */
  readonly ring?: ((text: string) => void) | undefined;
  /** Null if the text was sent to the terminal, otherwise the reason. */
  copy(text: string): string | null;
}

const IDENTITY_RETRY_MS = 5000;

export type OpenDashboard = ReturnType<typeof createDashboard>;

export function createDashboard(options: DashboardOptions) {
  const { client, clock = realClock, openEventSource } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const left = new Promise<void>(resolve =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const shell = createStore(merged<ShellState>, initialShell(options.start), clock);
  const kept = new Map<string, unknown>();
  let fate: JobFate | undefined;

  const hasProject = () => identityWatch.identity?.projectSlug != null;
  const linkWatch = createLinkWatch({
    ask: () => void reach(client.getCluster({ signal })).catch(() => {}),
    hasProject,
    onChange: (link, linkProblem) => shell.dispatch({ link, linkProblem }),
    clock,
  });

  async function reach<Value>(answer: Promise<Value>, isUpstream?: boolean): Promise<Value> {
    if (isUpstream ?? hasProject()) linkWatch.asked();
    try {
      const value = await answer;
      linkWatch.answered(isUpstream ?? hasProject());
      return value;
    } catch (error) {
      if (!signal.aborted) linkWatch.failed(error);
      throw error;
    }
  }

  const identityWatch = createIdentityWatch({
    getIdentity: () => reach(client.getIdentity({ signal }), false),
    onIdentity: identity => shell.dispatch({ identity, identityProblem: null }),
    onError: error => shell.dispatch({ identityProblem: errorText(error) }),
    isOver: () => signal.aborted,
    retryMs: IDENTITY_RETRY_MS,
    clock,
  });

  function go(location: Location, replaces = false): void {
    const { state } = shell;
    if (toHash(location) !== toHash(state.location)) shell.dispatch(stepTo(state, location, replaces));
  }

  async function saveRows(file: string, rows: string): Promise<void> {
    const problem = await options.saveRows!(file, rows);
    if (problem === null) dashboard.notify(`Appended to ${file}.`, 'completed');
    else dashboard.notify(`Could not write ${file}: ${problem}`, 'failed');
  }

  const base: Omit<Dashboard, 'training'> = {
    client,
    clock,
    openEventSource,
    signal,
    shell,
    keep<State, Action>(name: string, reduce: (state: State, action: Action) => State, initial: State) {
      const store = kept.get(name) ?? createStore(reduce, initial, clock);
      kept.set(name, store);
      return store as Store<State, Action>;
    },
    reach,
    refreshIdentity: identityWatch.noticeProject,
    notify: (text, tone) => shell.dispatch({ notice: { text, tone } }),
    ask: question => shell.dispatch({ question }),
    prompt: prompt => shell.dispatch({ prompt }),
    go: location => go(location),
    replace: location => go(location, true),
    copy(text, what) {
      const problem = options.copy(text);
      if (problem === null) dashboard.notify(`Copied ${what}.`);
      else dashboard.notify(problem, 'warning');
    },
    ...(options.saveRows && { saveRows: (file, rows) => void saveRows(file, rows) }),
  };
  const training = createTraining(base);
  const { ring } = options;
  const doneWatch =
    ring &&
    createDoneWatch({
      listJobs: () => reach(client.listJobs({ signal })),
      onDone({ status }, text) {
        ring(text);
        base.notify(text, status === 'failed' ? 'failed' : 'completed');
      },
      clock,
    });
  const dashboard = {
    ...base,
    options,
    training,
    left,
    /** Closes without asking. `known`: what happens to the job of a run in progress, if known. */
    leave(known?: JobFate): void {
      fate ??= known;
      doneWatch?.stop();
      linkWatch.stop();
      identityWatch.stop();
      ending.abort();
    },
    back: () => shell.dispatch(stepBack(shell.state)),
    /** Something outside the dashboard got a response from the cloud. */
    cloudAnswered: () => linkWatch.answered(true),
    /** What ran meanwhile, in one line. */
    summary: () =>
      exitLine({
        status: training.store.state.status,
        trainerName: training.store.state.trainer?.name ?? null,
        fate: fate ?? fateByLink(shell.state.link),
        logFile: options.logFile,
      }),
  };
  void identityWatch.ask();
  doneWatch?.start();
  return dashboard;
}

/** Runs an svc command line without stdin and resolves with its exit code. */
export type RunCommand = (args: readonly string[], options: RunCommandOptions) => Promise<number>;

interface RunCommandOptions {
  /** Receives what the command prints to stdout and stderr. */
  write(text: string): void;
  /** The maximum width of its output. */
  readonly columns: number;
  /** Aborted when the output is closed. */
  readonly signal: AbortSignal;
}
