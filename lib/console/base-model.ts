// The facts of a base model as text.
import type { Clock } from '../clock/index.js';
import { NO_CHAT_TEMPLATE, type ServedModel, type ServedModelFacts } from '../contract/index.js';
import { formatBytes, formatCount, formatNumber } from './text/format.js';

/** `5.3 M`, `135 M`, `1.24 B`; null if unknown. */
export function parametersText(count: number | null): string | null {
  if (count === null) return null;
  // Rounded first, since that may take it to the next unit.
  const parameters = Number(count.toPrecision(3));
  if (parameters >= 1e9) return `${formatNumber(parameters / 1e9, 3)} B`;
  return parameters >= 1e6
    ? `${formatNumber(parameters / 1e6, 3)} M`
    : `${formatNumber(parameters / 1e3, 3)} k`;
}

const contextText = (context: number | null) => (context === null ? null : `${formatCount(context)} tokens`);

type Need = NonNullable<ServedModelFacts['memory']>['training'];

/** From weights in 8 bits to 32-bit floats: `1.1 to 1.9 GB`. */
export function memoryText({ int8, f32 }: Need): string {
  const [least, most] = [roundSize(int8), roundSize(f32)];
  const [number, unit] = least.split(' ');
  if (least === most) return least;
  return most.endsWith(unit!) ? `${number} to ${most}` : `${least} to ${most}`;
}

/** Estimates have two digits at most. */
const roundSize = (bytes: number) => formatBytes(Number(bytes.toPrecision(2)));

export function speedText(tokensPerSecond: number | null = null): string | null {
  if (tokensPerSecond === null) return null;
  const isSlow = tokensPerSecond < 10;
  return `${isSlow ? formatNumber(tokensPerSecond, 2) : formatCount(Math.round(tokensPerSecond))} tokens/s`;
}

/** Of weights in 8 bits and in 32: `about 1.4 GB with 8-bit weights, 2.2 GB with 32-bit`. */
function memoryFact({ int8, f32 }: Need): string {
  const [least, most] = [roundSize(int8), roundSize(f32)];
  return least === most ? `about ${least}` : `about ${least} with 8-bit weights, ${most} with 32-bit`;
}

/** What a speed is of, since a single job or answer may be slower. */
const speedFact = (tokensPerSecond: number | null | undefined, of: string) => {
  const text = speedText(tokensPerSecond);
  return text && `${text} (${of})`;
};

const FASTEST_RUN = 'median step of the fastest run';
const FASTEST_ANSWER = 'fastest answer';

/** For models that recommend nothing: small ones often answer gibberish at 1. */
const USUAL_TEMPERATURE = 0.7;

export type ChatSampling = ServedModelFacts['sampling'] & { temperature: number };

/** How svc's own chats sample: as the model's files recommend. */
export function chatSampling(facts: Pick<ServedModelFacts, 'sampling'> | null | undefined): ChatSampling {
  const { temperature = USUAL_TEMPERATURE, ...others } = facts?.sampling ?? {};
  return { temperature, ...others };
}

/** `temperature 0.6, top-p 0.95, top-k 20`. */
export function samplingText({ temperature, topP, topK }: ChatSampling): string {
  const parts = [
    `temperature ${temperature}`,
    topP !== undefined && `top-p ${topP}`,
    topK !== undefined && `top-k ${topK}`,
  ];
  return parts.filter(Boolean).join(', ');
}

const chatText = (facts: ServedModelFacts) =>
  facts.hasChatTemplate === false ? 'none: it has no chat template' : samplingText(chatSampling(facts));

export interface ModelFactRow {
  label: string;
  value: string;
}

/** What is known, in the order in which it is shown. */
export function modelFactRows(facts: ServedModelFacts): ModelFactRow[] {
  const { architecture, parameters, context, weightFormat, license, bytes, memory, speed } = facts;
  return toRows([
    ['Architecture', architecture],
    ['Parameters', parametersText(parameters)],
    ['Weights', weightFormat],
    ['Size', formatBytes(bytes)],
    ['Context', contextText(context)],
    ['License', license],
    ['Chat', chatText(facts)],
    ['Memory to train', memory && memoryFact(memory.training)],
    ['Memory to chat', memory && memoryFact(memory.chat)],
    ['Training speed', speedFact(speed?.training, FASTEST_RUN)],
    ['Chat speed', speedFact(speed?.answering, FASTEST_ANSWER)],
  ]);
}

/** The same in fewer rows. */
export function modelSummaryRows(facts: ServedModelFacts): ModelFactRow[] {
  const { architecture, parameters, context, weightFormat, license, bytes, memory, speed } = facts;
  const size = parametersText(parameters);
  const about = [architecture, size && `${size} parameters`, weightFormat, formatBytes(bytes), license];
  const speeds = [
    speedFact(speed?.training, `training, ${FASTEST_RUN}`),
    speedFact(speed?.answering, `chat, ${FASTEST_ANSWER}`),
  ];
  return toRows([
    ['Model', joined(about)],
    ['Context', contextText(context)],
    ['Chat', chatText(facts)],
    ['Memory to train', memory && memoryFact(memory.training)],
    ['Memory to chat', memory && memoryFact(memory.chat)],
    ['Speed', joined(speeds) || null],
  ]);
}

const joined = (parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' · ');

const toRows = (rows: readonly [label: string, value: string | null | undefined][]): ModelFactRow[] =>
  rows.flatMap(([label, value]) => (value == null ? [] : [{ label, value }]));

/** What a model cannot do, in a sentence; null if there is nothing to say. */
export function modelWarning(
  facts: Pick<ServedModelFacts, 'hasChatTemplate'> | null | undefined,
): string | null {
  return facts?.hasChatTemplate === false ? NO_CHAT_TEMPLATE : null;
}

/** How long a chat has to be silent before anyone is told why. */
const SILENT_MS = 1000;

interface PreparingWatch {
  readonly readBaseModel: () => Promise<{ readonly baseModel: Pick<ServedModel, 'preparing'> | null }>;
  /** Called with a sentence when a chat starts to wait, and with null when it stops. */
  readonly onPreparing: (what: string | null) => void;
  /** Aborted when the answer begins. */
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** While a chat has no answer yet, tells what the model does first. */
export async function watchPreparing(watch: PreparingWatch): Promise<void> {
  const { readBaseModel, onPreparing, signal, clock } = watch;
  let last: string | null = null;
  for (;;) {
    await clock.sleep(SILENT_MS, signal).catch(() => {});
    if (signal.aborted) return;
    const { baseModel } = await readBaseModel().catch(() => ({ baseModel: null }));
    const preparing = baseModel?.preparing ?? null;
    if (signal.aborted) return;
    if (preparing !== last) onPreparing(preparing);
    last = preparing;
  }
}
