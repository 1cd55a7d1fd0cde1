// What a run does when it is told to stop before its job is queued.
import { onStudioGone } from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';
import { onFirstSignal } from '../terminal/interruptible.js';

/** Also told when the Studio that started the run has ended. A second signal ends the process as usual. Returns how to stop listening. */
export function stopOnce(io: Pick<Io, 'onSignal'>, stop: () => void): () => void {
  const ignore = () => {
    for (const undo of undos) undo();
  };
  const onStop = () => {
    ignore();
    stop();
  };
  const undos = [onFirstSignal(io, onStop), onStudioGone(onStop)];
  return ignore;
}
