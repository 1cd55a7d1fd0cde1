// The log of the recipe: steps, tokens, losses and time, kept over interruptions, and a small table of it at the end.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import type { TrainEvent } from '../../engine/train/index.js';

interface Line {
  step: number;
  tokens: number;
  loss: number;
  evalLoss: number | null;
  seconds: number;
}

export interface TrainingLog {
  add(event: TrainEvent): Promise<void>;
  /** Writes the lines that have a held-out loss as a table. */
  write(path: string): Promise<void>;
}

/** The log in a work folder; what is there is gone on with, from the step that the run goes on from. */
export async function openTrainingLog(folder: string): Promise<TrainingLog> {
  const file = join(folder, 'log.jsonl');
  let lines = await readLines(file);
  let last = Date.now();
  return {
    async add(event) {
      if (event.type === 'started') {
        lines = lines.filter(({ step }) => step <= (event.resumedFromStep ?? 0));
        await mkdir(folder, { recursive: true });
        await writeFile(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
        last = Date.now();
      }
      if (event.type !== 'log') return;
      const before = lines.at(-1) ?? { tokens: 0, seconds: 0 };
      const elapsed = (Date.now() - last) / 1000;
      last = Date.now();
      const line: Line = {
        step: event.step,
        tokens: before.tokens + event.tokens,
        loss: event.loss!,
        evalLoss: event.evalLoss ?? null,
        seconds: before.seconds + elapsed,
      };
      lines.push(line);
      await appendFile(file, `${JSON.stringify(line)}\n`);
    },
    write: path => writeFile(path, toTable(lines)),
  };
}

function toTable(lines: readonly Line[]): string {
  const machine = `# ${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}; train loss: mean since the line before`;
  const rows = lines
    .filter(({ evalLoss }) => evalLoss !== null)
    .map(({ step, tokens, loss, evalLoss, seconds }) =>
      [step, tokens, loss.toFixed(4), evalLoss!.toFixed(4), Math.round(seconds)].join(','),
    );
  return `${[machine, 'step,tokens,train_loss,held_out_loss,seconds', ...rows].join('\n')}\n`;
}

async function readLines(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(line => line.endsWith('}'))
    .map(line => JSON.parse(line) as Line);
}
