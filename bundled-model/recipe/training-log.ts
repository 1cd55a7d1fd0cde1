// The training log: steps, tokens, losses and time. It survives interruptions. Each finished cycle adds its lines to a
// small table.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import type { TrainEvent } from '../../lib/engine/train/index.js';

interface Line {
  step: number;
  tokens: number;
  loss: number;
  evalLoss: number | null;
  seconds: number;
}

interface TrainingLog {
  /** Number of cycles in the table. */
  readonly cycles: number;
  /** Continues the log of a cycle, counted from 0, in its work folder. */
  open(folder: string, cycle: number): Promise<void>;
  add(event: TrainEvent): Promise<void>;
  /** Adds the cycle's lines with a held-out loss to the table. */
  publish(): Promise<void>;
}

const HEADER = 'cycle,step,tokens,train_loss,held_out_loss,seconds';

export async function openTrainingLog(table: string): Promise<TrainingLog> {
  const published = (await read(table)).split('\n').filter(line => /^\d/.test(line));
  let cycle = 0;
  let file = '';
  let lines: Line[] = [];
  let last = Date.now();
  return {
    cycles: Number(published.at(-1)?.split(',')[0] ?? 0),
    async open(folder, number) {
      cycle = number + 1;
      file = join(folder, 'log.jsonl');
      lines = await readLines(file);
      await mkdir(folder, { recursive: true });
    },
    async add(event) {
      if (event.type === 'started') {
        lines = lines.filter(({ step }) => step <= (event.resumedFromStep ?? 0));
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
    async publish() {
      published.push(...toRows(cycle, lines));
      await writeFile(table, `${[describeMachine(), HEADER, ...published].join('\n')}\n`);
    },
  };
}

const describeMachine = () =>
  `# ${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}; tokens and seconds: since the cycle began; train loss: mean since the line before`;

function toRows(cycle: number, lines: readonly Line[]): string[] {
  return lines
    .filter(({ evalLoss }) => evalLoss !== null)
    .map(({ step, tokens, loss, evalLoss, seconds }) =>
      [cycle, step, tokens, loss.toFixed(4), evalLoss!.toFixed(4), Math.round(seconds)].join(','),
    );
}

async function readLines(file: string): Promise<Line[]> {
  return (await read(file))
    .split('\n')
    .filter(line => line.endsWith('}'))
    .map(line => JSON.parse(line) as Line);
}

const read = (file: string) => readFile(file, 'utf8').catch(() => '');
