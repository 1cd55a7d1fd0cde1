// Tells somebody who looks elsewhere, through the terminal: its bell, and a notification (OSC 9) where it has them.
import { toSafeLine } from './safe-text.js';

/** tmux passes on only what is wrapped; the bell itself it knows. */
export function bellSequence(text: string, env: Readonly<Record<string, string | undefined>> = {}): string {
  const notification = `\u001b]9;${toSafeLine(text)}\u0007`;
  return `\u0007${env.TMUX ? `\u001bPtmux;\u001b${notification}\u001b\\` : notification}`;
}
