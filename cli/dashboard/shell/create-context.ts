// Builds the context that views use from the dashboard's parts.
import { realClock } from '../../../lib/clock/index.js';
import {
  isToAsk,
  LINK_POLL_MS,
  type Location,
  linkAfterAnswer,
  linkAfterError,
} from '../../../lib/console/index.js';
import { ApiError } from '../../../lib/contract/index.js';
import type { Context } from '../core/context.js';
import { createIdentityKeeper, type IdentityKeeper } from '../core/identity-keeper.js';
import { viewCanvas } from '../core/screen.js';
import type { DashboardOptions, Shell } from './options.js';

interface ContextParts {
  readonly options: DashboardOptions;
  readonly shell: Shell;
  readonly signal: AbortSignal;
  move(action: { readonly type: 'went'; readonly location: Location; readonly replaces?: true }): void;
}

export function createContext({ options, shell, signal, move }: ContextParts): {
  context: Context;
  keeper: IdentityKeeper;
} {
  const { client, clock = realClock, openEventSource, glyphs, repaint } = options;

  // Without a project, Studio answers without asking the cloud.
  const hasProject = () => keeper.identity?.projectSlug != null;

  /** When the cloud was last asked for anything. */
  let askedAt = clock.elapsed();

  async function reach<Value>(answer: Promise<Value>, isUpstream?: boolean): Promise<Value> {
    if (isUpstream ?? hasProject()) askedAt = clock.elapsed();
    try {
      const value = await answer;
      shell.dispatch({ type: 'linked', link: linkAfterAnswer(shell.state.link, isUpstream ?? hasProject()) });
      return value;
    } catch (error) {
      if (!signal.aborted) noteFailure(error);
      throw error;
    }
  }

  function noteFailure(error: unknown): void {
    const link = linkAfterError(shell.state.link, error);
    shell.dispatch({ type: 'linked', link, ...(isUnreachable(error) && { problem: error.message }) });
  }

  const probe = clock.every(LINK_POLL_MS, askAgain);
  signal.addEventListener('abort', () => probe.stop(), { once: true });

  /** A view that asks for nothing would never notice that the cloud is away, or back. */
  function askAgain(): void {
    if (isToAsk(shell.state.link, clock.elapsed() - askedAt, hasProject()))
      void reach(client.getCluster({ signal })).catch(() => {});
  }

  function copy(text: string, what: string): void {
    const problem = options.copy(text);
    shell.dispatch({
      type: 'notified',
      text: problem ?? `Copied ${what}.`,
      tone: problem === null ? undefined : 'warning',
    });
  }

  async function saveRows(file: string, rows: string): Promise<void> {
    const problem = await options.saveRows!(file, rows);
    if (problem === null) context.notify(`Appended to ${file}.`, 'completed');
    else context.notify(`Could not write ${file}: ${problem}`, 'failed');
  }

  const keeper = createIdentityKeeper({
    getIdentity: () => reach(client.getIdentity({ signal }), false),
    onIdentity: identity => shell.dispatch({ type: 'identified', identity }),
    onProblem: problem => shell.dispatch({ type: 'unidentified', problem }),
    clock,
    signal,
  });
  const context: Context = {
    client,
    clock,
    openEventSource,
    signal,
    get identity() {
      return keeper.identity;
    },
    get canvas() {
      return viewCanvas(shell.state, glyphs);
    },
    changed: repaint.request,
    reach,
    refreshIdentity: keeper.refresh,
    notify: (text, tone) => shell.dispatch({ type: 'notified', text, tone }),
    ask: question => shell.dispatch({ type: 'asked', question }),
    prompt: prompt => shell.dispatch({ type: 'prompted', prompt }),
    go: location => move({ type: 'went', location }),
    replace: location => move({ type: 'went', location, replaces: true }),
    copy,
    ...(options.saveRows && { saveRows: (file, rows) => void saveRows(file, rows) }),
  };
  return { context, keeper };
}

function isUnreachable(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'cloud_unreachable';
}
