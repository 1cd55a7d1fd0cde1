// The dashboard in this process, over a Studio whose answers are scripted, on an emulator's screen.
import { PassThrough } from 'node:stream';
import { type RunCommand, runDashboard } from '../../../cli/dashboard/index.js';
import { createStudioClient } from '../../../lib/client/index.js';
import { nodeEventSource } from '../../../lib/client/node.js';
import { fillDemo } from '../../support/fake-studio/demo.js';
import { startFakeStudio } from '../../support/fake-studio.js';
import { createEmulator, type Size } from '../support/emulator.js';
import { toBytes } from '../support/keys.js';
import { watchText } from '../support/wait-for-text.js';

export type ShownDashboard = Awaited<ReturnType<typeof showDashboard>>;

const BETWEEN_KEYS_MS = 60;
const CALM_MS = 400;

/** `runCommand`: as with `--shell`. */
export async function showDashboard(size: Size, fill = fillDemo, runCommand?: RunCommand) {
  const studio = await startFakeStudio();
  fill(studio.world);
  const emulator = createEmulator(size);
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {}, ref() {}, unref() {} });
  const ending = new AbortController();
  const options = { baseUrl: studio.url, token: studio.token };
  const ended = runDashboard({
    client: createStudioClient(options),
    openEventSource: nodeEventSource(options),
    studioUrl: 'http://localhost:4000',
    io: { stdin, stdout: { ...size, write: emulator.write, on() {}, off() {} }, env: {} },
    logFile: null,
    runCommand,
    signal: ending.signal,
  });
  return {
    ...watchText(emulator.text, emulator.onDrawn),
    studio,
    cells: emulator.cells,
    /** One after the other, as a person does. */
    async press(...keys: string[]) {
      for (const key of keys) {
        stdin.write(toBytes(key));
        await new Promise(resolve => setTimeout(resolve, BETWEEN_KEYS_MS));
      }
    },
    /** Waits until nothing more is drawn. */
    async settled() {
      let seen = -1;
      while (seen !== emulator.written.length) {
        seen = emulator.written.length;
        await new Promise(resolve => setTimeout(resolve, CALM_MS));
      }
    },
    async close() {
      ending.abort();
      await ended;
      await studio.close();
    },
  };
}
