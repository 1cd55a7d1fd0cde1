// The rows of a job's sidebar.
import { formatCount, formatLocalTime } from './format.js';
import { type JobView, shownWait } from './job-view.js';
import { longRowsText, readCountText } from './row-reading.js';

export interface MetadataRow {
  readonly label: 'Waiting' | 'Step' | 'Rows read' | 'Too long' | 'Artifacts' | 'Created' | 'ID';
  readonly value: string;
}

const UNKNOWN = '–';

/** What the job waits for, if it does. Steps are counted from what the stream logged; artifacts are known once training completed. */
export function metadataRows(view: JobView, id: string): MetadataRow[] {
  const { polled, artifactCount, training, evaluation, preparing, tooLong } = view;
  const totalSteps = view.totalSteps ?? polled?.totalSteps;
  const steps = [training.maxStep, evaluation.maxStep].filter(step => step !== null);
  const waitingFor = shownWait(view);
  return [
    ...(waitingFor === null ? [] : [{ label: 'Waiting', value: waitingFor } as const]),
    { label: 'Step', value: steps.length > 0 ? stepText(Math.max(...steps), totalSteps) : UNKNOWN },
    ...(preparing ? [{ label: 'Rows read', value: readCountText(preparing) } as const] : []),
    ...(tooLong ? [{ label: 'Too long', value: longRowsText(tooLong) } as const] : []),
    { label: 'Artifacts', value: artifactCount === null ? UNKNOWN : formatCount(artifactCount) },
    { label: 'Created', value: polled ? formatLocalTime(polled.createdAt) : UNKNOWN },
    { label: 'ID', value: id },
  ];
}

function stepText(step: number, total: number | null | undefined): string {
  return total ? `${formatCount(step)} of ${formatCount(total)}` : formatCount(step);
}
