// svc models and svc models show: the base models on this machine, what they need, and which one the cloud uses. Connects to
// nothing, except to a remote cloud that was chosen.
import { createCloudClient } from '../../../lib/client/index.js';
import { realClock } from '../../../lib/clock/index.js';
import {
  formatBytes,
  formatCount,
  memoryText,
  modelFactRows,
  modelWarning,
  parametersText,
  plural,
  speedText,
} from '../../../lib/console/index.js';
import { chooseCloud } from '../../../lib/sdk/index.js';
import { findHome } from '../../../lib/sdk/local-cloud/index.js';
import type { Context, RunCommand } from '../../command.js';
import type { Screen } from '../../screen.js';
import { toSafeLine } from '../../style.js';
import { dataOf, findFolder } from '../cloud/local-cloud.js';
import { type Column, type Fact, renderFacts, renderTable } from '../terminal/table.js';
import { type DescribedModel, describeFound } from './describe-found.js';
import { findModel, findModels } from './find-models.js';

/** Describing more would take a while. */
const MOST_LISTED = 200;

export const list: RunCommand = async context => {
  const { io, screen, answer } = context;
  const folder = findFolder(context);
  const [found, remote] = await Promise.all([findModels(folder, io), findRemote(context)]);
  const models: DescribedModel[] = [];
  for (const model of found.slice(0, MOST_LISTED)) models.push(await describeFound(model, folder));
  const omitted = found.length - models.length;
  answer(
    { models, omitted, cloud: remote },
    () =>
      describeRemote(remote) +
      renderTable(columnsFor(models, screen), models, screen) +
      describeFoot(models, omitted, dataOf(folder, io.env)),
  );
};

interface RemoteCloud {
  url: string;
  /** Null if the cloud does not respond. */
  baseModel: string | null;
}

const ANSWER_MS = 3000;

/** The cloud in use, if it is not the local one. */
async function findRemote({ io, values }: Pick<Context, 'io' | 'values'>): Promise<RemoteCloud | null> {
  if (values.data !== undefined) return null;
  const { url } = await chooseCloud(findHome(io.env), io.env);
  if (url === null) return null;
  const signal = (io.clock ?? realClock).deadline(ANSWER_MS);
  const about = await createCloudClient({ baseUrl: url })
    .getCloud(undefined, { signal })
    .catch(() => null);
  return { url, baseModel: about?.baseModel ?? null };
}

function describeRemote(cloud: RemoteCloud | null): string {
  if (!cloud) return '';
  const uses =
    cloud.baseModel === null
      ? `The cloud at ${cloud.url} does not respond.`
      : `The cloud at ${cloud.url} uses ${cloud.baseModel}.`;
  return `${toSafeLine(`${uses} The models below are on this machine, for its local cloud.`)}\n\n`;
}

function columnsFor(models: readonly DescribedModel[], { style }: Screen): Column<DescribedModel>[] {
  const has = (key: 'problem' | 'speed') => models.some(model => model[key] !== null);
  return [
    {
      title: 'Name',
      text: ({ name }) => name,
      least: 30,
      cut: 'middle',
      paint: (text, { inUse }) => (inUse ? style.bold(text) : text),
    },
    { title: 'Parameters', text: ({ parameters }) => parametersText(parameters) ?? UNKNOWN },
    { title: 'Weights', text: ({ weightFormat }) => weightFormat ?? UNKNOWN },
    {
      title: 'Size',
      text: ({ bytes, readBytes, roundedBytes }) => formatBytes(bytes + readBytes + roundedBytes),
    },
    {
      title: 'Train memory',
      text: ({ memory }) => (memory ? memoryText(memory.training) : UNKNOWN),
      spare: true,
    },
    { title: 'Chat memory', text: ({ memory }) => (memory ? memoryText(memory.chat) : UNKNOWN), spare: true },
    ...(has('speed') ? SPEEDS : []),
    {
      title: 'Context',
      text: ({ context }) => (context === null ? UNKNOWN : formatCount(context)),
      spare: true,
    },
    { title: 'License', text: ({ license }) => license ?? UNKNOWN, least: 10, spare: true },
    { title: 'Architecture', text: ({ architecture }) => architecture ?? UNKNOWN, spare: true },
    ...(has('problem')
      ? [
          {
            title: 'Problem',
            text: ({ problem }: DescribedModel) => problem ?? '',
            least: 20,
            paint: style.red,
          },
        ]
      : []),
  ];
}

const UNKNOWN = '–';

const SPEEDS: Column<DescribedModel>[] = [
  { title: 'Train speed', text: ({ speed }) => speedText(speed?.training) ?? UNKNOWN, spare: true },
  { title: 'Chat speed', text: ({ speed }) => speedText(speed?.answering) ?? UNKNOWN, spare: true },
];

/** `data`: as `dataOf` writes it. */
function describeFoot(models: readonly DescribedModel[], omitted: number, data: string): string {
  const silent = models.filter(model => model.problem === null && model.hasChatTemplate === false);
  const used = models.filter(({ inUse }) => inUse).map(({ name }) => name);
  const lines = [
    `Memory is an estimate: from weights in 8 bits to weights in 32. For details, run "svc models show NAME${data}".`,
    models.some(({ speed }) => speed !== null) &&
      'Speeds are of the fastest run, at its median step, and of the fastest answer.',
    silent.length > 0 &&
      `Without a chat template, so they neither chat nor learn from messages: ${silent.map(({ name }) => name).join(', ')}.`,
    used.length > 0 && `Chosen for the local cloud: ${used.join(', ')}.`,
    omitted > 0 && `Not listed: ${plural(omitted, 'more model')}.`,
  ];
  return `\n${lines
    .filter(line => line)
    .map(line => `${toSafeLine(String(line))}\n`)
    .join('')}`;
}

export const show: RunCommand = async context => {
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
