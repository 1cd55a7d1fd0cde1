// The reader of files, for requests: if too much waits or the files cannot be read now, that is what they are answered.
import { ApiError } from '../../contract/index.js';
import { EngineError, type FileReader } from '../../engine/index.js';

/** When to try again, in seconds. */
const RETRY_AFTER: Readonly<Partial<Record<EngineError['code'], string>>> = {
  engine_busy: '1',
  engine_unavailable: '5',
};

export function answerRefusals(reader: FileReader): FileReader {
  return {
    run: (kind, input, asked) =>
      reader.run(kind, input, asked).catch(error => {
        throw toAnswer(error);
      }),
    get load() {
      return reader.load;
    },
    close: () => reader.close(),
  };
}

function toAnswer(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const { code, message } = error;
  const retryAfter = RETRY_AFTER[code];
  return retryAfter === undefined
    ? error
    : new ApiError(code, message, { headers: { 'retry-after': retryAfter } });
}
