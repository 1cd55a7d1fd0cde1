// What the commands that evaluate have in common: where rows come from, and the progress of answers.
import type { EvaluationProgress } from '../../../lib/sdk/index.js';
import { type Input, UsageError } from '../../command.js';
import type { Style } from '../../style.js';
import { textOption } from '../project/option-values.js';
import type { SessionContext } from '../project/session-command.js';
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
