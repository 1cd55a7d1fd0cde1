// Lays rows of data side by side into lines of one length, so that few tokens are padding. Which row a token belongs to
// is kept, and nothing looks across.

/** A row of data as tokens; `supervised[i]` says that token i is to be learned, from what stands before it. */
export interface Example {
  ids: ArrayLike<number>;
  supervised: ArrayLike<boolean | number>;
}

/** The shape that every pass through the graph has. */
export interface PassShape {
  /** Lines a pass. */
  batch: number;
  /** Tokens a line. */
  sequence: number;
  /** Labels a pass. */
  labels: number;
}

/** What one pass through the graph is fed, and how much of it counts. */
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

/** How many labels an example has: its first token has nothing before it. */
export function countLabels({ supervised }: Example): number {
  let count = 0;
  for (let i = 1; i < supervised.length; i++) if (supervised[i]) count++;
  return count;
}

/** Spreads examples over as few passes as first-fit by falling length needs; the same examples give the same passes. */
export function packExamples(examples: readonly Example[], shape: PassShape): Example[][][] {
  const byLength = examples.toSorted((a, b) => b.ids.length - a.ids.length);
  const passes: { lines: Line[]; labels: number }[] = [];
  for (const example of byLength) {
    const labels = countLabels(example);
    if (example.ids.length > shape.sequence || labels > shape.labels) {
      throw new Error(`An example of ${example.ids.length} tokens does not fit a line of ${shape.sequence}.`);
    }
    const place = findPlace(passes, example, labels, shape) ?? addPass(passes, shape);
    place.line.examples.push(example);
    place.line.free -= example.ids.length;
    place.pass.labels += labels;
  }
  return passes.map(({ lines }) => lines.map(line => line.examples));
}

interface Line {
  examples: Example[];
  free: number;
}

function findPlace(
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

/** The inputs of a pass. Each label weighs `labelWeight`; what is left of lines and labels weighs nothing. */
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
