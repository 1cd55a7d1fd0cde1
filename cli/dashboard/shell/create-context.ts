// Builds the context that views use from the dashboard's parts.
import { type Location, linkAfterAnswer, linkAfterError } from '../../../lib/console/index.js';
import type { Context } from '../core/context.js';
import { createIdentityKeeper, type IdentityKeeper } from '../core/identity-keeper.js';
import { viewCanvas } from '../core/screen.js';
import type { DashboardOptions, Shell } from './options.js';

interface ContextParts {
  readonly options: DashboardOptions;
  readonly shell: Shell;
  readonly signal: AbortSignal;
  move(action: { readonly type: 'went'; readonly location: Location }): void;
}

export function createContext({ options, shell, signal, move }: ContextParts): {
  context: Context;
  keeper: IdentityKeeper;
} {
  const { client, openEventSource, glyphs, repaint } = options;

  // Without a project, Studio answers without asking the cloud.
  const hasProject = () => keeper.identity?.projectSlug != null;

  async function reach<Value>(answer: Promise<Value>, isUpstream?: boolean): Promise<Value> {
    try {
      const value = await answer;
      shell.dispatch({ type: 'linked', link: linkAfterAnswer(shell.state.link, isUpstream ?? hasProject()) });
      return value;
    } catch (error) {
      if (!signal.aborted) shell.dispatch({ type: 'linked', link: linkAfterError(shell.state.link, error) });
      throw error;
    }
  }

  function copy(text: string, what: string): void {
    const problem = options.copy(text);
    shell.dispatch({
      type: 'notified',
      text: problem ?? `Copied ${what}.`,
      tone: problem === null ? undefined : 'warning',
    });
  }

  const keeper = createIdentityKeeper({
    getIdentity: () => reach(client.getIdentity({ signal }), false),
    onIdentity: identity => shell.dispatch({ type: 'identified', identity }),
    onProblem: problem => shell.dispatch({ type: 'unidentified', problem }),
    signal,
  });
  const context: Context = {
    client,
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
    copy,
  };
  return { context, keeper };
}
