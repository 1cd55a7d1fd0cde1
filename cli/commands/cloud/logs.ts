// svc cloud logs: the last lines of the cloud's log; with --follow, also new lines as they are written.
import { realClock } from '../../../lib/clock/index.js';
import { readLogText, toLogText } from '../../../lib/sdk/local-cloud/index.js';
import { logFileIn, outputFileIn } from '../../../lib/system/index.js';
import { CommandError, type RunCommand } from '../../command.js';
import { print } from '../../print.js';
import { toSafeJson, toSafeText } from '../../style.js';
import { findFolder } from './local-cloud.js';

const LAST_LINES = 200;
const POLL_MS = 250;

export const run: RunCommand = async context => {
  const { values, json, io } = context;
  const { clock = realClock } = io;
  const folder = findFolder(context);
  const path = logFileIn(folder);
  const format = json ? toJsonLine : (line: string) => `${toSafeText(toLogText(line))}\n`;
  const show = (lines: string[]) => lines.forEach(line => void print(io.stdout, format(line)));
  const first = await readLogText(path, null);
  // The output of a cloud that failed to start is not in the log yet; the next start moves it there.
  const output = await readLogText(outputFileIn(folder), null);
  const lines = toLines(first.text + output.text).slice(-LAST_LINES);
  if (lines.length === 0 && !values.follow) throw new CommandError(`No log yet at ${path}`);
  show(lines);
  for (let { place } = first; values.follow; await clock.sleep(POLL_MS)) {
    const next = await readLogText(path, place);
    show(toLines(next.text));
    place = next.place;
  }
};

function toLines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

/** A line that is not JSON, such as the last output of a crashed process, becomes a message. */
function toJsonLine(line: string): string {
  try {
    JSON.parse(line);
    return `${toSafeJson(line)}\n`;
  } catch {
    return `${toSafeJson(JSON.stringify({ message: line }))}\n`;
  }
}
