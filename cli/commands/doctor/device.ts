// Tries the GPU: whether it computes what the CPU does, how fast it trains and answers, and its largest buffer. Sends nothing.
import { BASE_MODEL_NAME, baseModelFolder } from '../../../lib/base-model/index.js';
import { type DeviceReport, openBaseModel, toOwnWeights, tryDevice } from '../../../lib/cloud/index.js';
import { formatBytes, formatCount } from '../../../lib/console/index.js';
import { cloudFolder, type LocalCloud } from '../../../lib/sdk/local-cloud/index.js';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Context } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { chooseBaseModel, isOnThisMachine } from '../cloud/choose-base-model.js';
import { readOptions } from '../cloud/lasting-options.js';
import { askHealth } from '../cloud/local-cloud.js';
import { readSettings } from '../cloud/settings.js';
import { renderTable } from '../terminal/table.js';
import { type Check, outcomesOf } from './check.js';

interface DeviceTrial {
  checks: Check[];
  /** Null if nothing could be tried. */
  report: DeviceReport | null;
}

export async function checkDevice(
  { io, note }: Pick<Context, 'io' | 'note'>,
  home: string,
  cloud: LocalCloud | null,
): Promise<DeviceTrial> {
  const health = cloud && (await askHealth(cloud));
  if (health?.jobs && health.jobs.running > 0) {
    const hint = 'Try again when it has ended.';
    const busy = outcomesOf('gpu').warning('not tried, since a job is running', hint);
    return { checks: [busy], report: null };
  }
  const folder = cloudFolder(home);
  const options = await readOptions(folder);
  const { baseWeights = 'auto' } = readSettings(options, folder, io);
  const weights = toOwnWeights(baseWeights);
  const { 'base-model': wanted = BASE_MODEL_NAME } = options;
  // A model on the Hub might have to be downloaded first.
  const isHere = wanted === BASE_MODEL_NAME || isOnThisMachine(wanted);
  const baseModel = isHere
    ? await chooseBaseModel(options, folder, io)
    : openBaseModel(baseModelFolder(), BASE_MODEL_NAME);
  note('Trying the GPU, which can take a few minutes…');
  const report = await tryDevice({ folder, version: packageJson.version, baseModel, weights }, 'all');
  return { checks: describeReport(report, baseModel.name), report };
}

type Described = Pick<DeviceReport, 'gpu' | 'problem' | 'findings'>;

export function describeReport({ gpu, problem, findings }: Described, model: string): Check[] {
  const { operators, training, half, answering, usual, own, answers, largestBuffer } = findings;
  const name = gpu && [gpu.name ?? 'found', gpu.driver && `(${gpu.driver})`].filter(Boolean).join(' ');
  const { ok, warning } = outcomesOf('gpu');
  const chats = `chats with up to 1 GB of ${model}`;
  const speedOf = (of: string, { cpu, gpu }: { cpu: number; gpu: number }) =>
    outcomesOf('gpu-speed').ok(
      `${of}: ${formatCount(Math.round(gpu))} tokens/s, the CPU ${formatCount(Math.round(cpu))}`,
    );
  return [
    problem === null
      ? ok(toSafeLine(name ?? 'usable'))
      : warning(toSafeLine(problem), 'Runs use the CPU. docs/devices.md has what a GPU needs.'),
    ...(operators ? [describeOperators(operators)] : []),
    ...(training ? [describeTraining(training)] : []),
    ...(half ? [describeHalf(half)] : []),
    ...(answering ? [describeAnswering(answering)] : []),
    ...(usual ? [speedOf('4 layers of the shape of SmolLM2-135M', usual)] : []),
    ...(own ? [speedOf(`up to 4 layers of ${model}`, own)] : []),
    ...(answers
      ? [speedOf(`${chats}, one at a time`, answers.one), speedOf(`${chats}, 8 at once`, answers.many)]
      : []),
    ...(problem === null ? [describeBuffer(largestBuffer)] : []),
  ];
}

type Findings = DeviceReport['findings'];
type Operators = NonNullable<Findings['operators']>;

function describeOperators(operators: Operators): Check {
  const { ok, warning } = outcomesOf('gpu-operators');
  const differences = operators.map(({ difference }) => difference ?? Number.POSITIVE_INFINITY);
  const worst = Math.max(...differences);
  const about = `${operators.length} operators, up to ${toShort(worst)} from the CPU`;
  return operators.every(({ isRight }) => isRight)
    ? ok(about)
    : warning(about, 'The table below has each of them.');
}

function describeTraining({ difference, isRight }: NonNullable<Findings['training']>): Check {
  const { ok, warning } = outcomesOf('gpu-training');
  const about = `losses differ from the CPU's by up to ${toShort(difference)}`;
  return isRight ? ok(about) : warning(about, 'Runs use the CPU.');
}

function describeAnswering({ difference, isRight }: NonNullable<Findings['answering']>): Check {
  const { ok, warning } = outcomesOf('gpu-answers');
  const about = `log probabilities differ from the CPU's by up to ${toShort(difference)}`;
  return isRight ? ok(about) : warning(about, 'Chats use the CPU.');
}

function describeHalf({ difference, isRight, error }: NonNullable<Findings['half']>): Check {
  const { ok, warning } = outcomesOf('gpu-f16');
  const hint = 'Weights stay in f32 on this GPU.';
  if (difference === null) return warning(toSafeLine(error ?? 'not computed'), hint);
  const about = `losses with weights in f16 differ from the CPU's in f32 by up to ${toShort(difference)}`;
  return isRight ? ok(about) : warning(about, hint);
}

function describeBuffer(largest: number | undefined): Check {
  const { ok, warning } = outcomesOf('gpu-buffer');
  if (largest !== undefined) return ok(`buffers of up to ${formatBytes(largest)} are right`);
  return warning('the GPU failed before a large buffer was right', 'Runs with long rows may use the CPU.');
}

/** The table of all operators; empty without a report. */
export function renderOperators(
  report: DeviceReport | null,
  screen: Parameters<typeof renderTable>[2],
): string {
  const operators = report?.findings.operators ?? [];
  if (operators.length === 0) return '';
  const columns = [
    { title: 'operator', text: ({ name }: Operators[number]) => name },
    { title: 'cases', text: ({ cases }: Operators[number]) => String(cases) },
    {
      title: 'difference',
      text: ({ difference, error }: Operators[number]) =>
        difference === null ? toSafeLine(error ?? 'not computed') : toShort(difference),
    },
  ];
  return `\n${renderTable(columns, operators, screen)}`;
}

/** `2.4e-7` */
function toShort(difference: number): string {
  return difference === 0 || !Number.isFinite(difference) ? String(difference) : difference.toExponential(1);
}
