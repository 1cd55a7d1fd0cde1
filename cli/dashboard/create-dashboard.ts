// The dashboard without its rendering: calls to Studio, the identity, the cloud's state, and the state that
// views keep.
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
  type Tone,
  toHash,
} from '../../lib/console/index.js';
import {
  initialShell,
  type Prompt,
  type Question,
  type ShellState,
  stepBack,
  stepTo,
} from './state/shell-state.js';
import { createStore, merged, type Store } from './state/store.js';
import { createTraining } from './state/training.js';

export interface DashboardOptions {
  readonly client: StudioClient;
  readonly clock?: Clock | undefined;
  readonly openEventSource: OpenEventSource;
  /** The URL of the browser app; null if it is not served. */
  readonly studioUrl: string | null;
  readonly logFile: string | null;
  /** The first view; the overview by default. */
  readonly start?: Location | undefined;
  readonly runCommand?: RunCommand | undefined;
  /** Null on success, otherwise the reason. */
  readonly openBrowser?: ((url: string) => Promise<string | null>) | undefined;
  /** Appends rows to a file, or writes a new one. Null on success, otherwise the reason. */
  readonly saveRows?: SaveRows | undefined;
  /** Notifies the user outside the screen that a run has ended; undefined if notifications are off. */
  readonly ring?: ((text: string) => void) | undefined;
  /** Null if the text was sent to the terminal, otherwise the reason. */
  copy(text: string): string | null;
}

type SaveRows = (file: string, rows: string, how: 'append' | 'new') => Promise<string | null>;

export type Dashboard = ReturnType<typeof createDashboard>;

const IDENTITY_RETRY_MS = 5000;

/** Stays the same object while the dashboard is open; only its stores change. */
export function createDashboard(options: DashboardOptions) {
  const { client, clock = realClock, openEventSource } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const left = new Promise<void>(resolve =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const shell = createStore(merged<ShellState>, initialShell(options.start), clock);
  const stores = new Map<string, unknown>();
  let fate: JobFate | undefined;

  const hasProject = () => identityWatch.identity?.projectSlug != null;
  const linkWatch = createLinkWatch({
    ask() {
      const asked: Promise<unknown> = hasProject() ? client.getCluster({ signal }) : getBaseModel();
      void reach(asked).catch(() => {});
    },
    hasProject,
    onChange: (link, linkProblem) => shell.dispatch({ link, linkProblem }),
    clock,
  });

  /**
   * Records from a call's outcome whether Studio and the cloud are up, and returns the response; `isUpstream`
   * if it came from the cloud.
   */
  async function reach<Value>(answer: Promise<Value>, isUpstream?: boolean): Promise<Value> {
    if (isUpstream ?? hasProject()) linkWatch.callStarted();
    try {
      const value = await answer;
      linkWatch.answered(isUpstream ?? hasProject());
      return value;
    } catch (error) {
      if (!signal.aborted) linkWatch.failed(error);
      throw error;
    }
  }

  /** The cloud's base model, which it tells without an identity or a project. */
  async function getBaseModel() {
    const answer = await client.getBaseModel({ signal });
    if (answer.baseModel) linkWatch.answered(true);
    return answer;
  }

  /** Whether Studio has asked the cloud for an identity, without success so far. */
  function isIdentityAway(): boolean {
    const { link, linkProblem, identityProblem } = shell.state;
    return link === 'away' && identityProblem === linkProblem;
  }

  const identityWatch = createIdentityWatch({
    getIdentity: ({ known }) => reach(client.getIdentity({ known, signal }), isIdentityAway()),
    onIdentity: identity => shell.dispatch({ identity, identityProblem: null }),
    onError: error => shell.dispatch({ identityProblem: errorText(error) }),
    isOver: () => signal.aborted,
    retryMs: IDENTITY_RETRY_MS,
    clock,
  });

  function step(location: Location, replaces: boolean): void {
    const { state } = shell;
    if (toHash(location) !== toHash(state.location)) shell.dispatch(stepTo(state, location, replaces));
  }

  /** Shows one line until the next key press. */
  const notify = (text: string, tone?: Tone) => shell.dispatch({ notice: { text, tone } });

  async function save(write: SaveRows, ...[file, rows, how]: Parameters<SaveRows>) {
    const problem = await write(file, rows, how);
    if (problem === null) notify(`${how === 'new' ? 'Saved' : 'Appended'} to ${file}.`, 'completed');
    else notify(problem, 'failed');
  }

  /** Fetches the identity again: the first call that needs a project creates one. */
  const refreshIdentity = identityWatch.noticeProject;
  const training = createTraining({ client, clock, signal, reach, notify, refreshIdentity });
  const { ring, saveRows } = options;
  const doneWatch =
    ring &&
    createDoneWatch({
      listJobs: () => reach(client.listJobs({ signal })),
      onDone({ status }, text) {
        ring(text);
        notify(text, status === 'failed' ? 'failed' : 'completed');
      },
      clock,
    });
  void identityWatch.ask();
  doneWatch?.start();

  return {
    options,
    client,
    clock,
    openEventSource,
    /** Aborted when the dashboard closes. */
    signal,
    left,
    /**
     * The state around the views: the location, the question or prompt at the bottom, the notice, the cloud.
     */
    shell,
    /** The project's trainer and its run. */
    training,
    /**
     * A named store, created on first use, for state that a view keeps while another one is shown. All views
     * share one namespace, including for fetched values.
     */
    keep<State, Action>(name: string, reduce: (state: State, action: Action) => State, initial: State) {
      const store = stores.get(name) ?? createStore(reduce, initial, clock);
      stores.set(name, store);
      return store as Store<State, Action>;
    },
    reach,
    getBaseModel,
    refreshIdentity,
    noticeModel: identityWatch.noticeModel,
    checkIdentity: identityWatch.check,
    notify,
    ask: (question: Question) => shell.dispatch({ question }),
    /** Opens a text field at the bottom of the screen. */
    prompt: (prompt: Prompt) => shell.dispatch({ prompt }),
    /** Does nothing if the location has the same address as the current one (`toHash`). */
    go: (location: Location) => step(location, false),
    /** Like `go`, but going back skips this view. */
    replace: (location: Location) => step(location, true),
    back: () => shell.dispatch(stepBack(shell.state)),
    /** Copies text and confirms with `Copied the job ID.`, where `what` is `the job ID`. */
    copy(text: string, what: string): void {
      const problem = options.copy(text);
      if (problem === null) notify(`Copied ${what}.`);
      else notify(problem, 'warning');
    },
    /** Appends rows to a file, or writes a new one, and confirms it. Undefined if files cannot be written. */
    saveRows: saveRows && ((...given: Parameters<SaveRows>) => void save(saveRows, ...given)),
    /** Something outside the dashboard got a response from the cloud. */
    cloudAnswered: () => linkWatch.answered(true),
    /** Closes without asking. `known`: what happens to the job of a run in progress, if known. */
    leave(known?: JobFate): void {
      fate ??= known;
      doneWatch?.stop();
      linkWatch.stop();
      identityWatch.stop();
      ending.abort();
    },
    /** A one-line summary of what ran in this session. */
    summary: () =>
      exitLine({
        status: training.store.state.status,
        trainerName: training.store.state.trainer?.name ?? null,
        fate: fate ?? fateByLink(shell.state.link),
        logFile: options.logFile,
      }),
  };
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
