// The facts of a base model as text.
import type { ServedModelFacts } from '../contract/index.js';
import { formatBytes, formatCount, formatNumber } from './text/format.js';

/** `5.3 M`, `135 M`, `1.24 B`; null if unknown. */
export function parametersText(parameters: number | null): string | null {
  if (parameters === null) return null;
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
  return tokensPerSecond === null ? null : `${formatCount(Math.round(tokensPerSecond))} tokens/s`;
}

export interface ModelFactRow {
  label: string;
  value: string;
}

/** What is known, in the order in which it is shown. */
export function modelFactRows(facts: ServedModelFacts): ModelFactRow[] {
  const { architecture, parameters, context, weightFormat, license, bytes, memory, speed } = facts;
  const rows: [label: string, value: string | null][] = [
    ['Architecture', architecture],
    ['Parameters', parametersText(parameters)],
    ['Weights', weightFormat],
    ['Size', formatBytes(bytes)],
    ['Context', contextText(context)],
    ['License', license],
    ['Memory to train', memory && `about ${memoryText(memory.training)}`],
    ['Memory to chat', memory && `about ${memoryText(memory.chat)}`],
    ['Training speed', speedText(speed?.training)],
    ['Chat speed', speedText(speed?.answering)],
  ];
  return rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}

/** In one line: `135 M parameters · BF16 · 8,192 tokens · apache-2.0 · trains in about 1.4 to 2.2 GB`. */
export function modelFactLine(facts: ServedModelFacts): string {
  const { parameters, context, weightFormat, license, memory, speed } = facts;
  const size = parametersText(parameters);
  const parts = [
    size && `${size} parameters`,
    weightFormat,
    contextText(context),
    license,
    memory && `trains in about ${memoryText(memory.training)}`,
    speedText(speed?.training),
  ];
  return parts.filter(Boolean).join(' · ');
}
