// Faults of Ink 6.8 that its version 8 does not have, which needs a newer Node. The build and the tests use it corrected.
import { basename } from 'node:path';

const CORRECTIONS = {
  // A picture as high as the terminal was written in full each time, and what the terminal remembers was cleared.
  'ink.js': [
    'if (this.lastOutputHeight >= this.options.stdout.rows) {',
    'if (!this.options.incrementalRendering && this.lastOutputHeight >= this.options.stdout.rows) {',
  ],
  // The rest of a row was cleared after its text: in a row that is full, that is the last column.
  'log-update.js': [
    /(buffer\.push\(ansiEscapes\.cursorTo\(0\)) \+\s+nextLines\[i\] \+\s+ansiEscapes\.eraseEndLine \+/,
    '$1 + ansiEscapes.eraseEndLine + nextLines[i] +',
  ],
  // A text was measured for its place, and again each time it was drawn.
  'render-node-to-output.js': [
    "import widestLine from 'widest-line';",
    "import measureText from './measure-text.js';\nconst widestLine = text => measureText(text).width;",
  ],
  // What was measured for one picture was measured again for the next.
  'output.js': [
    /class OutputCaches([\s\S]*)caches = new OutputCaches\(\);/,
    `let shared;
class OutputCaches$1caches = shared && shared.styledChars.size < 10_000 ? shared : (shared = new OutputCaches());`,
  ],
};

/** Of a file of Ink, which may need none. */
export function correctInk(path, source) {
  const [fault, correction] = CORRECTIONS[basename(path)] ?? [];
  if (!fault) return source;
  const corrected = source.replace(fault, correction);
  if (corrected === source)
    throw new Error(`Ink's ${basename(path)} has changed: see whether it still needs this.`);
  return corrected;
}
