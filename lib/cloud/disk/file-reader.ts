// The reader of files, for requests: if too much waits or the files cannot be read now, that is what they are answered.
import { EngineError, type FileReader } from '../../engine/index.js';
import { toPassingFault } from './passing-fault.js';

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
  return (error instanceof EngineError && toPassingFault(error)) || error;
}
