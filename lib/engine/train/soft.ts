// Learning from a teacher's distribution, besides its answers: each token adds its loss and, times a weight, how far the model is
// from what the teacher expected there.
import { FILLING } from '../graph/index.js';
import { MOST_ALTERNATIVES, type SoftLabels } from '../text/index.js';
import { type Objective, sumByRow } from './objective.js';
import { countLabels, type Example, type Pass, toPass } from './packing.js';

type Lines = readonly (readonly Example[])[];

export function createSoftObjective(weight: number): Objective {
  return {
    async prepare(examples) {
      const labels = examples.reduce((sum, example) => sum + countLabels(example), 0);
      let divergence = 0;
      return {
        toPass: lines => toSoftPass(lines, labels, weight),
        read(lines, labelLosses, divergences) {
          divergence += sumOf(divergences!);
          return sumByRow(lines, labelLosses);
        },
        metrics: () => ({ softLoss: divergence / labels }),
      };
    },
    async close() {},
  };
}

export const sumOf = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0);

/** Buckets of a label: itself, the alternatives, and all other tokens. */
const BUCKETS = MOST_ALTERNATIVES + 2;

/** `labels`: how many the step has, each of which counts the same. */
export function toSoftPass(lines: Lines, labels: number, weight: number): Pass {
  const pass = toPass(lines, 1 / labels);
  const count = pass.labels.length;
  const soft = {
    alternatives: new BigInt64Array(count * MOST_ALTERNATIVES),
    shares: new Float32Array(count * BUCKETS),
    filling: new Float32Array(count * BUCKETS),
    certainty: new Float32Array(count),
    weights: new Float32Array(count),
  };
  for (let label = 0; label < count; label++) {
    // A bucket needs a token, and the label's does no harm.
    soft.alternatives.fill(pass.labels[label]!, label * MOST_ALTERNATIVES, (label + 1) * MOST_ALTERNATIVES);
    soft.filling.fill(FILLING, label * BUCKETS + 1, (label + 1) * BUCKETS - 1);
  }
  let label = 0;
  for (const { supervised, soft: known } of lines.flat())
    for (let i = 1; i < supervised.length; i++) {
      if (!supervised[i]) continue;
      const entries = known && entriesOf(known, i);
      if (entries) {
        writeLabel(soft, label, entries);
        soft.weights[label] = weight / labels;
      }
      label++;
    }
  return { ...pass, soft };
}

/** The label's own, then the alternatives. */
interface Entries {
  ids: Int32Array;
  shares: Float32Array;
}

function entriesOf({ first, ends, ids, shares }: SoftLabels, token: number): Entries | null {
  const index = token - first;
  if (index < 0 || index >= ends.length) return null;
  const [from, to] = [index === 0 ? 0 : ends[index - 1]!, ends[index]!];
  return { ids: ids.subarray(from, to), shares: shares.subarray(from, to) };
}

function writeLabel(soft: NonNullable<Pass['soft']>, label: number, { ids, shares }: Entries): void {
  const known = sumOf(shares);
  // A teacher's rounded numbers may add up to a little more than 1.
  const total = Math.max(1, known);
  const buckets = soft.shares.subarray(label * BUCKETS, (label + 1) * BUCKETS);
  for (const [i, share] of shares.entries()) buckets[i] = share / total;
  buckets[BUCKETS - 1] = Math.max(0, 1 - known);
  for (const [i, id] of ids.subarray(1).entries()) {
    soft.alternatives[label * MOST_ALTERNATIVES + i] = BigInt(id);
    soft.filling[label * BUCKETS + 1 + i] = 0;
  }
  soft.certainty[label] = buckets.reduce((sum, share) => sum + (share > 0 ? share * Math.log(share) : 0), 0);
}
