// What the commands that evaluate have in common: where rows come from, the reward of the project's trainer, and the progress of
// answers.
import { resolve } from 'node:path';
import type { CloudClient } from '../../../lib/client/index.js';
import type { Job } from '../../../lib/contract/index.js';
import {
  type EvaluationProgress,
  findDataFault,
  openRewarding,
  readHeldOutRows,
} from '../../../lib/sdk/index.js';
import { keepResult } from '../../../lib/system/index.js';
import { type Input, UsageError } from '../../command.js';
import type { Style } from '../../style.js';
import { textOption } from '../project/option-values.js';
import type { SessionContext } from '../project/session-command.js';
import { prepareTrainer } from '../start/prepare.js';
import { createLiveLine, everyQuarter } from '../terminal/live-line.js';
import { renderBar } from '../training/progress.js';

const HUB = 'hf:';

/** `--on` and `--split`; undefined if there is neither. */
export function sourceOption(input: Pick<Input, 'values'>) {
  const on = textOption(input, 'on');
  const split = textOption(input, 'split');
  const source = on === undefined ? undefined : toSource(on);
  if (split === undefined) return source;
  if (source?.type === 'huggingface') return { ...source, split };
  throw new UsageError('option "--split" requires a data set of the Hub: --on hf:NAME.');
}

/** A file, or `hf:NAME`. */
export function toSource(typed: string) {
  return typed.startsWith(HUB)
    ? { type: 'huggingface' as const, name: typed.slice(HUB.length) }
    : { type: 'file' as const, path: typed };
}

const BAR_WIDTH = 20;

/** On stderr, so that stdout has only the result. */
export function createProgress({ io, screen, note }: Pick<SessionContext, 'io' | 'screen' | 'note'>) {
  const isLive = io.stderr.isTTY === true;
  const line = createLiveLine(io.stderr, { isLive });
  const tellQuarter = everyQuarter(percent => note(`Answers: ${percent}%`));
  const draw = ({ done, total }: EvaluationProgress, style: Style) =>
    line.draw(`${renderBar(done / total, BAR_WIDTH, style)}  ${done} of ${total} answers`);
  return {
    show: (progress: EvaluationProgress) =>
      isLive ? draw(progress, screen.style) : tellQuarter(progress.done, progress.total),
    clear: () => line.clear(),
  };
}

/** The trainer is loaded once, when it is first needed. */
export function openTrainerData(context: SessionContext) {
  const { io, note, session } = context;
  const load = keepResult(() => prepareTrainer(io, undefined, note));

  return {
    /** Null if it does not learn from rewards. */
    async reward() {
      const { options } = await load();
      return openRewarding(options, {
        cloud: () => session.projectClient(),
        clock: session.clock,
        env: session.env,
      });
    },
    /** As its jobs get them. */
    async heldOutRows(cloud: CloudClient, job: Job, signal?: AbortSignal) {
      const { options } = await load();
      const rows = await readHeldOutRows(options, job, session, signal);
      const part = (job.config as { evalFraction?: number }).evalFraction ? 'training' : 'evaluation';
      const source = part === 'training' ? options.dataset : options.evalDataset;
      // Mapped rows were uploaded from a temporary file.
      if (source?.type === 'file' && !source.map && !options.task)
        await warnAbout(context, cloud, job, { path: source.path, part }, signal);
      return rows;
    },
  };
}

export async function warnAbout(
  { session, note }: SessionContext,
  cloud: CloudClient,
  job: Job,
  { path, part }: Parameters<typeof findDataFault>[2],
  signal?: AbortSignal,
): Promise<void> {
  const fault = await findDataFault(cloud, job, { path: resolve(session.folder, path), part }, signal);
  if (fault) note(`Warning: ${fault}`);
}
