// svc models show NAME: all that is known of one base model on this machine.
import { formatBytes, modelFactRows, modelWarning } from '../../../lib/console/index.js';
import type { CommandModule } from '../../command.js';
import { findFolder } from '../cloud/local-cloud.js';
import { type Fact, renderFacts } from '../terminal/table.js';
import { type DescribedModel, describeFound } from './describe-found.js';
import { findModel } from './find-models.js';

export const run: CommandModule['run'] = async context => {
  const { io, screen, positionals, answer } = context;
  const folder = findFolder(context);
  const model = await describeFound(await findModel(positionals[0]!, folder, io), folder);
  answer({ model }, () => renderFacts(toFacts(model), screen.style));
};

/** Where a model comes from. */
const SOURCES: Readonly<Record<DescribedModel['source'], string>> = {
  bundled: 'ships with svc',
  svc: "svc's data folder",
  file: 'a path on this machine',
  hub: "Hugging Face's cache",
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
};

function toFacts(model: DescribedModel): Fact[] {
  const { name, source, path, readBytes, roundedBytes, problem, inUse } = model;
  return [
    ['Name', name],
    ['From', SOURCES[source]],
    ['Path', path],
    ...modelFactRows(model).map(({ label, value }): Fact => [label, value]),
    ['As svc read it', readBytes > 0 ? formatBytes(readBytes) : null],
    ['Rounded weights', roundedBytes > 0 ? formatBytes(roundedBytes) : null],
    ['Problem', problem],
    ['Note', problem === null ? modelWarning(model) : null],
    ['Chosen', inUse ? 'for the local cloud' : null],
  ];
}
