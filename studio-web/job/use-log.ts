// Reads what is new in a job's log, on demand. Unlike a stream, this holds no connection, of which browsers allow six per
// origin.
import { onUnmounted } from 'vue';
import type { LogPart } from '../../lib/contract/index.js';
import { studio } from '../studio.js';

interface LogReader {
  /** Does nothing while a read is pending. */
  read(): Promise<void>;
  stop(): void;
}

/** `after`: the sequence number of the last event known. */
export function useLog(id: string, after: () => string, onEvents: (parts: LogPart[]) => void): LogReader {
  let reading: AbortController | undefined;

  async function read(): Promise<void> {
    if (reading) return;
    const own = new AbortController();
    reading = own;
    try {
      for await (const parts of studio.readJobLog(id, { after: after() || undefined, signal: own.signal }))
        if (!own.signal.aborted) onEvents(parts);
    } catch {
      // The next read goes on from there.
      return;
    } finally {
      if (reading === own) reading = undefined;
    }
  }

  function stop(): void {
    reading?.abort();
    reading = undefined;
  }

  onUnmounted(stop);
  return { read, stop };
}
