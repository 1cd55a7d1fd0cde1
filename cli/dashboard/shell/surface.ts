// What the dashboard shows, and what a key or a click does in it.
import { type CommandName, type Commands, findCommand, type Scope } from '../core/bindings.js';
import { drawScreen } from '../core/screen.js';
import type { Drawn, FieldPlace } from '../drawing/canvas.js';
import { type Click, clickAt, type Line } from '../drawing/line.js';
import type { Pointed } from '../terminal/read-keys.js';
import type { Overview } from '../views/overview/overview.js';
import { isReady } from '../views/overview/state.js';
import type { Navigation } from './navigation.js';
import type { DashboardOptions, Shell } from './options.js';
import type { ShellCommands } from './shell-commands.js';

export interface Surface {
  press(key: string): void;
  point(pointed: Pointed): void;
  /** Whether keys are typed as text now. */
  isTyping(): boolean;
  draw(): Drawn;
}

interface SurfaceParts {
  readonly options: Pick<DashboardOptions, 'repaint' | 'studioUrl' | 'glyphs'>;
  readonly shell: Shell;
  readonly overview: Overview;
  readonly navigation: Navigation;
  readonly shellCommands: ShellCommands;
}

const WHEEL_ROWS = 3;

export function createSurface({
  options,
  shell,
  overview,
  navigation,
  shellCommands,
}: SurfaceParts): Surface {
  const { repaint, studioUrl, glyphs } = options;
  let shown: readonly Line[] = [];

  function scopes(): readonly Scope[] {
    const { question, prompt } = shell.state;
    if (question) return ['question'];
    return prompt ? [prompt.scope, 'typing'] : navigation.view.scopes;
  }

  function commands(): Commands {
    return { ...shellCommands(), ...navigation.view.commands(), ...shellCommands.atFoot() };
  }

  /** Redraws immediately, because the next input is appended to the text that was last drawn. */
  function type(field: FieldPlace, text: string): void {
    shell.dispatch({ type: 'calmed' });
    field.change(text);
    repaint.flush();
  }

  function click(what: Click): void {
    if (typeof what === 'string') commands()[what as CommandName]?.();
    else if (what === 0) commands().openChosen?.();
    else
      for (let step = 0; step < Math.abs(what); step++)
        (what < 0 ? commands().previous : commands().next)?.();
  }

  /** Moves through what scrolls here, or else through the list. */
  function turnWheel(direction: 'Up' | 'Down'): void {
    for (let row = 0; row < WHEEL_ROWS; row++) {
      const known = commands();
      (known[direction === 'Up' ? 'previous' : 'next'] ?? known[`scroll${direction}`])?.();
    }
  }

  return {
    press(key) {
      shell.dispatch({ type: 'calmed' });
      const known = commands();
      const command = findCommand(scopes(), key, name => known[name] !== undefined);
      if (command) known[command]?.();
      repaint.flush();
    },
    point({ action, row, column }) {
      const isAsked = shell.state.question !== null;
      if (action !== 'click') {
        if (!isAsked) turnWheel(action === 'wheelUp' ? 'Up' : 'Down');
      } else {
        const what = clickAt(shown[row] ?? [], column);
        const isAnswer = what === 'yes' || what === 'no';
        if (what === undefined || (isAsked && !isAnswer)) return;
        shell.dispatch({ type: 'calmed' });
        click(what);
      }
      repaint.flush();
    },
    isTyping() {
      const { question, prompt } = shell.state;
      return !question && (prompt !== null || navigation.view.isTyping === true);
    },
    draw() {
      const known = commands();
      const { lines, field } = drawScreen({
        shell: shell.state,
        view: navigation.view,
        studioUrl,
        glyphs,
        scopes: scopes(),
        // A run that cannot start is not offered; pressing its key explains why.
        offers: (name: CommandName) =>
          known[name] !== undefined && (name !== 'run' || isReady(overview.state)),
        type: shellCommands.type,
      });
      shown = lines;
      return { lines, field: field && { ...field, change: text => type(field, text) } };
    },
  };
}
