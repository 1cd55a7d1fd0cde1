// The short form of `svc data check` at the start of a run: a line on what is learned, the warnings, and an end if there
// are errors. Only rows that are on the cloud already are checked: a run downloads the others itself.
import { dataSummary } from '../../../lib/console/index.js';
import { ApiError, type JobConfigInput } from '../../../lib/contract/index.js';
import type { prepareJob } from '../../../lib/sdk/index.js';
import { CommandError } from '../../command-error.js';

type Cloud = Awaited<ReturnType<typeof prepareJob>>['cloud'];

const MOST_LINES = 4;

export async function checkData(
  config: JobConfigInput,
  cloud: Pick<Cloud, 'previewData'>,
  note: (line: string) => void,
): Promise<void> {
  const sources = [config.datasetSource, config.evalDatasetSource];
  if (sources.some(source => source !== undefined && source.type !== 'upload')) return;
  const found = await cloud.previewData({ config, effort: 'quick', limit: 0 }).catch(ignoreFailure);
  if (!found) return;
  const { line, errors, warnings } = dataSummary(found.report);
  note(line);
  if (errors.length > 0)
    throw new CommandError(
      `The data set has errors, so no job was started.\n${listed(errors).join('\n')}\nRun "svc data check" to see them.`,
    );
  for (const warning of listed(warnings)) note(`! ${warning}`);
  if (warnings.length > 0) note('  Run "svc data check" to see these rows.');
}

function listed(lines: readonly string[]): string[] {
  return lines.length <= MOST_LINES ? [...lines] : [...lines.slice(0, MOST_LINES), '…'];
}

/** A check that fails for its own reasons, as on a cloud of an older version, keeps no one from training. */
function ignoreFailure(error: unknown): null {
  if (error instanceof ApiError && error.code === 'dataset_invalid') throw error;
  if (error instanceof ApiError) return null;
  throw error;
}
