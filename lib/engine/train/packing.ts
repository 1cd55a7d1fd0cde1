// Packs rows of data into lines of equal length, so that few tokens are padding. Every token knows its row, and attention
// never crosses rows.

/** A row of data as tokens; `supervised[i]`: token i is learned, predicted from the tokens before it. */
export interface Example {
  ids: ArrayLike<number>;
  supervised: ArrayLike<boolean | number>;
}

/** The shape of every pass through the graph. */
export interface PassShape {
  /** Lines per pass. */
  batch: number;
  /** Tokens per line. */
  sequence: number;
  /** Labels per pass. */
  labels: number;
}

/** The inputs of one pass through the graph, and how much of them is not padding. */
export interface Pass {
  ids: BigInt64Array;
  positions: BigInt64Array;
  rows: Float32Array;
  at: BigInt64Array;
  labels: BigInt64Array;
  weights: Float32Array;
  tokens: number;
  supervised: number;
}

/** The first token is never a label, since nothing precedes it. */
export function countLabels({ supervised }: Example): number {
  let count = 0;
  for (let i = 1; i < supervised.length; i++) if (supervised[i]) count++;
  return count;
}

/** First-fit by decreasing length. Deterministic: the same examples give the same passes. */
export function packExamples(examples: readonly Example[], shape: PassShape): Example[][][] {
  const byLength = examples.toSorted((a, b) => b.ids.length - a.ids.length);
  const passes: { lines: Line[]; labels: number }[] = [];
  for (const example of byLength) {
    const labels = countLabels(example);
    if (example.ids.length > shape.sequence || labels > shape.labels) {
      throw new Error(`An example of ${example.ids.length} tokens does not fit a line of ${shape.sequence}.`);
    }
    const slot = findSlot(passes, example, labels, shape) ?? addPass(passes, shape);
    slot.line.examples.push(example);
    slot.line.free -= example.ids.length;
    slot.pass.labels += labels;
  }
  return passes.map(({ lines }) => lines.map(line => line.examples));
}

interface Line {
  examples: Example[];
  free: number;
}

function findSlot(
  passes: readonly { lines: Line[]; labels: number }[],
  example: Example,
  labels: number,
  shape: PassShape,
) {
  for (const pass of passes) {
    if (pass.labels + labels > shape.labels) continue;
    const line = pass.lines.find(({ free }) => free >= example.ids.length);
    if (line) return { pass, line };
  }
  return null;
}

function addPass(passes: { lines: Line[]; labels: number }[], { batch, sequence }: PassShape) {
  const lines = Array.from({ length: batch }, () => ({ examples: [], free: sequence }));
  const pass = { lines, labels: 0 };
  passes.push(pass);
  return { pass, line: lines[0]! as Line };
}

/** Each label weighs `labelWeight`; padding weighs nothing. */
export function toPass(lines: readonly (readonly Example[])[], shape: PassShape, labelWeight: number): Pass {
  const size = shape.batch * shape.sequence;
  const pass: Pass = {
    ids: new BigInt64Array(size),
    positions: new BigInt64Array(size),
    rows: new Float32Array(size).fill(-1),
    at: new BigInt64Array(shape.labels),
    labels: new BigInt64Array(shape.labels),
    weights: new Float32Array(shape.labels),
    tokens: 0,
    supervised: 0,
  };
  lines.forEach((line, i) => {
    let at = i * shape.sequence;
    line.forEach((example, row) => {
      writeExample(pass, example, at, row, labelWeight);
      at += example.ids.length;
    });
  });
  return pass;
}

function writeExample(
  pass: Pass,
  { ids, supervised }: Example,
  at: number,
  row: number,
  labelWeight: number,
): void {
  for (let i = 0; i < ids.length; i++) {
    pass.ids[at + i] = BigInt(ids[i]!);
    pass.positions[at + i] = BigInt(i);
    pass.rows[at + i] = row;
    if (i === 0 || !supervised[i]) continue;
    pass.at[pass.supervised] = BigInt(at + i - 1);
    pass.labels[pass.supervised] = BigInt(ids[i]!);
    pass.weights[pass.supervised] = labelWeight;
    pass.supervised++;
  }
  pass.tokens += ids.length;
}
