// What keys do in every view and at the bottom of the screen: tabs, help, the command line, quitting, questions, prompts.
import { TABS, type Tab, toHash } from '../../../lib/console/index.js';
import type { Commands } from '../core/bindings.js';
import { commandProblem, splitCommandLine } from '../core/command-line.js';
import type { Context, View } from '../core/context.js';
import type { JobFate } from '../core/exit-line.js';
import type { Overview } from '../views/overview/overview.js';
import { createCommandReader } from '../views/readers/command.js';
import { createHelp } from '../views/readers/help.js';
import type { Navigation } from './navigation.js';
import type { DashboardOptions, Shell } from './options.js';
import { createQuit } from './quit.js';

interface ShellParts {
  readonly options: DashboardOptions;
  readonly shell: Shell;
  readonly context: Context;
  readonly overview: Overview;
  readonly navigation: Navigation;
  leave(fate?: JobFate): void;
}

export interface ShellCommands {
  (): Commands;
  /** Commands that take precedence over a view's: those of a question or a prompt. */
  atFoot(): Commands;
  /** Sets the text of the prompt. */
  type(value: string): void;
}

export function createShellCommands(parts: ShellParts): ShellCommands {
  const { options, shell, context, overview, navigation } = parts;
  const { move } = navigation;
  const go = (tab: Tab) => move({ type: 'went', location: { tab, id: null } });
  const quit = createQuit(parts);

  function read(reader: View): void {
    shell.dispatch({ type: 'reading', reader });
    reader.enter(null);
  }

  function close(): void {
    shell.state.reader?.leave();
    shell.dispatch({ type: 'reading', reader: null });
  }

  function askCommand(): void {
    const { runCommand } = options;
    if (!runCommand) {
      context.notify('Commands cannot be run from here.', 'warning');
      return;
    }
    context.prompt({
      scope: 'commandLine',
      label: ':svc ',
      value: '',
      submit(text) {
        const split = splitCommandLine(text);
        const problem = 'problem' in split ? split.problem : commandProblem(split.args);
        if (problem !== null || !('args' in split)) {
          context.notify(problem ?? '', 'warning');
          return text;
        }
        if (split.args.length > 0) read(createCommandReader(context, split.args, runCommand, close));
        return null;
      },
    });
  }

  async function openBrowser(studioUrl: string): Promise<void> {
    const url = `${studioUrl}/${toHash(shell.state.location)}`;
    const reason = options.openBrowser ? await options.openBrowser(url) : 'none is available here';
    if (reason === null) context.notify('Opened in the browser.');
    else context.notify(`Could not open a browser: ${reason}. Open ${url} yourself.`, 'warning');
  }

  function run(): void {
    if (shell.state.location.tab !== 'overview') go('overview');
    overview.run();
  }

  const shows = Object.fromEntries(TABS.map(({ tab, label }) => [`show${label}`, () => go(tab)])) as Commands;
  const anywhere: Commands = {
    ...shows,
    run,
    quit,
    redraw: options.redraw,
    ...(options.studioUrl !== null && { openBrowser: () => void openBrowser(options.studioUrl!) }),
    commandLine: askCommand,
    help: () =>
      read(createHelp(context, { here: navigation.view.scopes, hasMouse: options.hasMouse === true, close })),
  };

  return Object.assign(
    (): Commands => ({
      ...anywhere,
      ...(canGoBack(shell) && { back: () => move({ type: 'wentBack' }) }),
    }),
    {
      atFoot: () => footCommands(shell),
      type(value: string) {
        shell.dispatch({ type: 'typed', value });
        shell.state.prompt?.change?.(value);
      },
    },
  );
}

function canGoBack({ state }: Shell): boolean {
  return state.trail.length > 0 || state.location.id !== null;
}

function footCommands(shell: Shell): Commands {
  const { question, prompt } = shell.state;
  if (question) {
    const answer = (act?: () => void) => () => {
      shell.dispatch({ type: 'asked', question: null });
      act?.();
    };
    return { yes: answer(question.yes), no: answer() };
  }
  if (!prompt) return {};
  const close = () => shell.dispatch({ type: 'prompted', prompt: null });
  return {
    submit() {
      const rest = prompt.submit(prompt.value);
      if (rest === null) close();
      else shell.dispatch({ type: 'typed', value: rest });
    },
    leaveField() {
      if (!prompt.leave?.(prompt.value)) close();
    },
    clearField() {
      shell.dispatch({ type: 'typed', value: '' });
      prompt.change?.('');
    },
  };
}
