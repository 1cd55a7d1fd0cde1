// svc cloud status: whether the cloud is running, where, and what it holds.
import {
  describeCluster,
  describePlaces,
  deviceText,
  formatBytes,
  weightsText,
} from '../../../lib/console/index.js';
import {
  type AnsweringDevice,
  type CloudDevice,
  type CloudHealth,
  type ClusterActivity,
  describeMove,
  describeTorch,
  type TorchFacts,
} from '../../../lib/contract/index.js';
import { chooseCloud } from '../../../lib/sdk/index.js';
import { findHome, type LocalCloud } from '../../../lib/sdk/local-cloud/index.js';
import { type Context, exitCode, type RunCommand } from '../../command.js';
import { inOwnName } from '../../print.js';
import { type Style, toSafeLine } from '../../style.js';
import { type LastingOptions, readOptions, toWords } from './lasting-options.js';
import {
  askHealth,
  dataOf,
  describeCloud,
  describeSilentOwner,
  findFolder,
  findRunning,
  measureFolder,
  type Sizes,
  silentOwnerHint,
} from './local-cloud.js';

export const run: RunCommand = async context => {
  const { io, screen, svc, answer } = context;
  const folder = findFolder(context);
  const data = dataOf(folder, io.env);
  const [{ cloud, owner }, sizes, options] = await Promise.all([
    findRunning(folder, io.clock),
    measureFolder(folder),
    readOptions(folder, data),
  ]);
  const health = cloud && (await askHealth(cloud));
  const problem =
    owner && inOwnName(`${describeSilentOwner(folder, owner)}\n${silentOwnerHint(owner, data)}`, io.env);
  const found = {
    running: cloud !== null || owner !== null,
    owner,
    cloud: cloud && { ...describeCloud(cloud, folder), ...health },
    folder,
    options,
    sizes,
  };
  const move = cloud && describeMove(cloud, data);
  const portText = move && inOwnName(move, io.env);
  const folderState = { folder, problem, portText, options, sizes, svc, data };
  await noteOtherCloud(context);
  answer(found, () => render(cloud, health, folderState, screen.style));
  return cloud ? exitCode.ok : exitCode.failure;
};

/** Commands for projects may use another cloud than this one. */
async function noteOtherCloud({ io, note }: Context): Promise<void> {
  const chosen = await chooseCloud(findHome(io.env), io.env).catch((error: Error) => note(error.message));
  if (!chosen || chosen.url === null) return;
  const why = io.env.SVC_CLOUD_URL ? 'SVC_CLOUD_URL is set' : 'you signed in there last';
  note(`This is the local cloud. The commands for projects use ${chosen.url}, because ${why}.`);
}

interface Kept {
  folder: string;
  /** Set when the cloud's state is unknown. */
  problem: string | null;
  /** Set if it is not at the port that it had before. */
  portText: string | null;
  /** The options of its last start. */
  options: LastingOptions;
  sizes: Sizes;
  /** How to call svc in commands to copy. */
  svc: string;
  /** What they need to be about this cloud. */
  data: string;
}

function render(
  cloud: LocalCloud | null,
  health: CloudHealth | null,
  { folder, problem, portText, options, sizes: { total, entries }, svc, data }: Kept,
  { bold, dim, red }: Style,
): string {
  const parts = Object.entries(entries).map(([name, bytes]) => `${name} ${formatBytes(bytes)}`);
  const held = `${folder}, ${formatBytes(total)}${parts.length > 0 ? dim(` (${parts.join(', ')})`) : ''}`;
  const words = toWords(options).map(word => toSafeLine(word));
  const optionRow = words.length > 0 ? ([['options', words.join(' ')]] as const) : [];
  if (problem) return `${red(problem)}\n${renderRows([...optionRow, ['data', held]])}`;
  if (!cloud)
    return `The cloud is not running. To start it, run: ${svc} cloud start${data}\n${renderRows([...optionRow, ['data', held]])}`;
  const jobs = health?.jobs && `${health.jobs.running} running, ${health.jobs.queued} queued`;
  const rows = [
    ...(portText ? [['port', red(portText)] as const] : []),
    ['process', String(cloud.pid)],
    ['version', cloud.version],
    ['base model', cloud.baseModel],
    ...(health?.weights ? [['weights', weightsText(health.weights)] as const] : []),
    ...(health?.device ? deviceRows(health.device) : []),
    ...(health?.torch ? [['torch', torchText(health.torch, red)] as const] : []),
    ['endpoints', `<slug>.${cloud.deploymentDomain}`],
    ...(health?.cluster ? clusterRows(health.cluster, red) : []),
    ...(health?.problems ?? []).map(({ part, message }) => [part, red(toSafeLine(message))] as const),
    ...(health?.files ? fileRows(health.files) : []),
    ['jobs', jobs ?? red(`unknown; see: ${svc} cloud logs${data}`)],
    ...optionRow,
    ['data', held],
  ] as const;
  return `The cloud is running at ${bold(cloud.url)}\n${renderRows(rows)}`;
}

function fileRows({ running, waiting }: NonNullable<CloudHealth['files']>) {
  return running + waiting === 0 ? [] : [['files', `${running} being read, ${waiting} waiting`] as const];
}

function deviceRows({ setting: _, answers, used, ...about }: CloudDevice) {
  const runs =
    used === null
      ? 'auto: the first run compares the GPU with the CPU'
      : placeText({ used, ...about }, 'trains');
  const chats = answers && placeText(answers, 'answers');
  return [
    ['device', runs] as const,
    ...(chats === undefined || chats === runs ? [] : [['chats', chats] as const]),
  ];
}

function placeText({ used, speedup, ...about }: AnsweringDevice, does: string): string {
  const times = speedup === undefined ? [] : [`${does} ${speedup.toFixed(1)} times as fast as the CPU`];
  return toSafeLine([deviceText({ type: used, ...about }), ...times].join(', '));
}

function torchText(facts: TorchFacts, red: Style['red']): string {
  const text = toSafeLine(describeTorch(facts));
  return facts.problem == null ? text : red(text);
}

function clusterRows(cluster: ClusterActivity, red: Style['red']) {
  const places = describePlaces(cluster).map(({ kind, text }) => [kind, toSafeLine(text)] as const);
  return [['cluster', clusterText(cluster, red)] as const, ...places];
}

function clusterText(cluster: ClusterActivity, red: Style['red']): string {
  const at = `${cluster.url}, ${cluster.runs.length} ${cluster.runs.length === 1 ? 'run' : 'runs'}`;
  const text = describeCluster(cluster);
  return text === null
    ? red(toSafeLine(cluster.problem ?? 'It does not answer.'))
    : toSafeLine(`${text}; ${at}`);
}

function renderRows(rows: readonly (readonly [name: string, text: string])[]): string {
  return rows.map(([name, text]) => `  ${name.padEnd('base model'.length)}  ${text}\n`).join('');
}
