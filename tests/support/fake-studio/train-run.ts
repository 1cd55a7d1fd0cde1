// The run that a fake Studio started: a test prints its output and ends it.
import { ApiError, type TrainStatus } from '../../../lib/contract/index.js';

export interface FakeRun {
  status: TrainStatus;
  begin(): void;
  print(text: string | Uint8Array): void;
  exit(code: number): void;
  /** Breaks off who reads, while the run goes on. */
  cut(): void;
  read(): ReadableStream<Uint8Array>;
}

const encoder = new TextEncoder();

export function createRun(): FakeRun {
  let printed: Uint8Array[] = [];
  const readers = new Set<ReadableStreamDefaultController<Uint8Array>>();

  function endReaders(end: (reader: ReadableStreamDefaultController<Uint8Array>) => void): void {
    for (const reader of readers) end(reader);
    readers.clear();
  }

  const run: FakeRun = {
    status: { running: false, startedAt: null, jobId: null, exitCode: null },
    begin() {
      if (run.status.running) throw new ApiError('train_in_flight', 'A run is still going.');
      printed = [];
      run.status = { running: true, startedAt: new Date().toISOString(), jobId: null, exitCode: null };
    },
    print(text) {
      const bytes = typeof text === 'string' ? encoder.encode(text) : text;
      printed.push(bytes);
      for (const reader of readers) reader.enqueue(bytes);
    },
    exit(exitCode) {
      run.status = { ...run.status, running: false, exitCode };
      endReaders(reader => reader.close());
    },
    cut: () => endReaders(reader => reader.error(new Error('cut'))),
    read() {
      let own: ReadableStreamDefaultController<Uint8Array>;
      return new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          controller.enqueue(new Uint8Array());
          for (const bytes of printed) controller.enqueue(bytes);
          if (run.status.running) readers.add(controller);
          else controller.close();
        },
        cancel: () => void readers.delete(own),
      });
    },
  };
  return run;
}
