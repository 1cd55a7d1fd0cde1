// The rows of the job sidebar.
import { formatCount, formatLocalTime } from './format.js';
import { type JobView, shownWait } from './job-view.js';
import { longRowsText, readCountText } from './row-reading.js';

interface MetadataRow {
  readonly label:
    | 'Origin'
    | 'Waiting'
    | 'Step'
    | 'Rows read'
    | 'Too long'
    | 'Weights'
    | 'Artifacts'
    | 'Created'
    | 'ID';
  readonly value: string;
}

const UNKNOWN = '–';

/** Steps come from the logged points; the artifact count is known once training has completed. */
export function metadataRows(view: JobView, id: string): MetadataRow[] {
  const { polled, artifactCount, imported, training, evaluation, preparing, tooLong, weights } = view;
  const totalSteps = view.totalSteps ?? polled?.totalSteps;
  const steps = [training.maxStep, evaluation.maxStep].filter(step => step !== null);
  const waitingFor = shownWait(view);
  return [
    ...(imported ? [{ label: 'Origin', value: 'imported' } as const] : []),
    ...(waitingFor === null ? [] : [{ label: 'Waiting', value: waitingFor } as const]),
    { label: 'Step', value: steps.length > 0 ? stepText(Math.max(...steps), totalSteps) : UNKNOWN },
    ...(preparing ? [{ label: 'Rows read', value: readCountText(preparing) } as const] : []),
    ...(tooLong ? [{ label: 'Too long', value: longRowsText(tooLong) } as const] : []),
    ...(weights === null ? [] : [{ label: 'Weights', value: weights } as const]),
    { label: 'Artifacts', value: artifactCount === null ? UNKNOWN : formatCount(artifactCount) },
    { label: 'Created', value: polled ? formatLocalTime(polled.createdAt) : UNKNOWN },
    { label: 'ID', value: id },
  ];
}

function stepText(step: number, total: number | null | undefined): string {
  return total ? `${formatCount(step)} of ${formatCount(total)}` : formatCount(step);
}
