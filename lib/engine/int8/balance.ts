// How rows are balanced before they are rounded. A row has one scale, so one large channel rounds away the others. Each channel
// is multiplied by a factor, and its weights are divided by it: what is large becomes smaller, at the expense of the weights. What
// is still large then is shared by copies of the channel.

/** Of the rows that go into matrices which share them. */
export interface Balance {
  /** What each channel is multiplied by, and then each copy: [channels + copies]. */
  factors: readonly number[];
  /** The channels that come again after all others. */
  copied: readonly number[];
}

/** What is known of the rows and of the matrices. */
export interface Measured {
  channels: number;
  /** [rows, channels] */
  inputs: Float32Array;
  /** The squared length of what the matrices compute of each row. */
  energies: Float32Array;
  /** Some lines of the matrices, [lines, channels], and how many all lines are for each of them. */
  lines: Float32Array;
  share: number;
}

/** A larger one moves more from the rows to the weights. */
const POWERS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
/** Copies for each channel. They are products, too. */
const COPIES = 1 / 16;
/** Copies that leave more than this share of the loss are not worth it: parts of a channel are rounded alike. */
const LEAST_GAIN = 0.9;
/** Kernels take this many channels at once. */
const TOGETHER = 8;
const LARGEST = 127;
/** The variance of what rounding to integers loses. */
const ROUNDING = 1 / 12;
/** A floor for channels that were hardly used, since later texts may use them: as a share of the usual value. */
const [LEAST_INPUT, LEAST_WEIGHT] = [1 / 8, 1 / 1000];
const DIGITS = 6;

/** The balance that loses the least, and which share of the products that is. */
export function findBalance(measured: Measured): { balance: Balance; loss: number } {
  const scales = findScales(measured);
  const count = Math.ceil((COPIES * measured.channels) / TOGETHER) * TOGETHER;
  const [whole, parted] = [new Uint16Array(scales.length).fill(1), shareOut(measured, scales, count)].map(
    shares => ({ balance: toBalance(scales, shares), loss: lossOf(measured, scales, shares) }),
  );
  return parted!.loss < LEAST_GAIN * whole!.loss ? parted! : whole!;
}

function toBalance(scales: Float32Array, shares: Uint16Array): Balance {
  const copied = [...shares].flatMap((share, channel) => Array<number>(share - 1).fill(channel));
  const factorOf = (channel: number) => Number((scales[channel]! / shares[channel]!).toPrecision(DIGITS));
  return { factors: [...Array.from(scales.keys(), factorOf), ...copied.map(factorOf)], copied };
}

/** The same without copies. */
export function withoutCopies(balance: Balance): Balance {
  return { factors: [...toScales(balance)], copied: [] };
}

/** By what the weights of each channel are divided. */
export function toScales({ factors, copied }: Balance): Float32Array {
  const scales = Float32Array.from(factors.slice(0, factors.length - copied.length));
  for (const channel of copied) scales[channel]! += factors[channel]!;
  return scales;
}

function findScales(measured: Measured): Float32Array {
  const { channels, inputs, lines } = measured;
  const [largestInputs, largestWeights] = [
    atLeast(largestOf(inputs, channels), LEAST_INPUT),
    atLeast(largestOf(lines, channels), LEAST_WEIGHT),
  ];
  const squares = squaresOf(lines, channels);
  let best = { scales: new Float32Array(channels).fill(1), loss: Number.POSITIVE_INFINITY };
  for (const power of POWERS) {
    const scales = largestInputs.map((input, channel) => (largestWeights[channel]! / input) ** power);
    const loss = expectedLoss(measured, squares, scales);
    if (loss < best.loss) best = { scales, loss };
  }
  return best.scales;
}

/** Of all values in a channel. */
function largestOf(values: Float32Array, channels: number): Float32Array {
  const largest = new Float32Array(channels);
  for (let i = 0; i < values.length; i++)
    largest[i % channels] = Math.max(largest[i % channels]!, Math.abs(values[i]!));
  return largest;
}

function atLeast(values: Float32Array, share: number): Float32Array {
  const usual = Float32Array.from(values).sort()[values.length >> 1]!;
  const least = usual > 0 ? share * usual : 1;
  return values.map(value => Math.max(value, least));
}

/**
 * By rounding the rows and the weights, as a share of the products' squares. `lineSquares`: the sum of the squares of a channel's
 * weights.
 */
function expectedLoss(
  { channels, inputs, energies, lines, share }: Measured,
  lineSquares: Float64Array,
  scales: Float32Array,
): number {
  let [byRows, rowSquares] = [0, 0];
  for (const [row, energy] of energies.entries()) {
    if (!(energy > 0)) continue;
    let [largest, square] = [0, 0];
    for (let channel = 0, at = row * channels; channel < channels; channel++, at++) {
      const value = Math.abs(inputs[at]! * scales[channel]!);
      if (value > largest) largest = value;
      square += value * value;
    }
    byRows += (largest / LARGEST) ** 2 / energy;
    rowSquares += square / energy;
  }
  const parts = Float64Array.from(scales, scale => 1 / scale);
  let byLines = 0;
  for (let line = 0; line < lines.length; line += channels) {
    let largest = 0;
    for (let channel = 0, at = line; channel < channels; channel++, at++) {
      const value = Math.abs(lines[at]! * parts[channel]!);
      if (value > largest) largest = value;
    }
    byLines += (largest / LARGEST) ** 2;
  }
  let weights = 0;
  for (let channel = 0; channel < channels; channel++)
    weights += lineSquares[channel]! * parts[channel]! ** 2;
  return (ROUNDING * share * (byRows * weights + byLines * rowSquares)) / energies.length;
}

function squaresOf(values: Float32Array, channels: number): Float64Array {
  const squares = new Float64Array(channels);
  for (let i = 0; i < values.length; i++) squares[i % channels]! += values[i]! ** 2;
  return squares;
}

/** How many equal parts each channel is split into: the one that makes the scales of rows largest gets another, again and again. */
function shareOut(
  { channels, inputs, energies }: Measured,
  scales: Float32Array,
  count: number,
): Uint16Array {
  const shares = new Uint16Array(channels).fill(1);
  const rows = energies.length;
  const [largest, at] = [new Float32Array(rows), new Uint32Array(rows)];
  const find = (row: number) => {
    largest[row] = -1;
    for (let channel = 0; channel < channels; channel++) {
      const value = Math.abs(inputs[row * channels + channel]! * scales[channel]!) / shares[channel]!;
      if (value <= largest[row]!) continue;
      largest[row] = value;
      at[row] = channel;
    }
  };
  for (let row = 0; row < rows; row++) find(row);
  for (let copy = 0; copy < count; copy++) {
    const gains = new Float64Array(channels);
    for (let row = 0; row < rows; row++)
      if (energies[row]! > 0) gains[at[row]!]! += largest[row]! ** 2 / energies[row]!;
    const channel = gains.indexOf(gains.reduce((most, gain) => Math.max(most, gain), 0));
    shares[channel]!++;
    for (let row = 0; row < rows; row++) if (at[row] === channel) find(row);
  }
  return shares;
}

/** By rounding the rows, as a share of the products' lengths. */
function lossOf(
  { channels, inputs, energies, lines, share }: Measured,
  scales: Float32Array,
  shares: Uint16Array,
): number {
  const weights = squaresOf(lines, channels).map(
    (square, channel) => (share * square) / scales[channel]! ** 2,
  );
  const values = new Float32Array(channels);
  let sum = 0;
  for (const [row, energy] of energies.entries()) {
    let largest = 0;
    for (let channel = 0; channel < channels; channel++) {
      values[channel] = (inputs[row * channels + channel]! * scales[channel]!) / shares[channel]!;
      largest = Math.max(largest, Math.abs(values[channel]!));
    }
    if (!(energy > 0) || largest === 0) continue;
    const step = largest / LARGEST;
    let lost = 0;
    for (let channel = 0; channel < channels; channel++) {
      const value = values[channel]!;
      const off = (value - step * Math.round(value / step)) * shares[channel]!;
      lost += off * off * weights[channel]!;
    }
    sum += lost / energy;
  }
  return Math.sqrt(sum / energies.length);
}
