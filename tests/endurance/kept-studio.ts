// A Studio that is started again whenever it was killed.
import { findFreePort } from '../support/free-port.js';
import type { RunningProgram } from '../support/program.js';
import type { Home } from './home.js';

export interface KeptStudio {
  /** False while none runs. */
  kill(): boolean;
  end(): void;
}

export function keepStudio(home: Home): KeptStudio {
  let running: RunningProgram | null = null;
  let isOver = false;

  async function keep(): Promise<void> {
    const port = await findFreePort();
    while (!isOver) {
      running = home.start('dev', '--no-tui', '--port', `${port}`);
      await running.ended;
    }
  }
  void keep();

  const kill = () => running?.child.kill('SIGKILL') ?? false;
  return {
    kill,
    end() {
      isOver = true;
      kill();
    },
  };
}
