// Rows with large channels, and what is left of them after rounding.
import { describe, expect, it } from 'vitest';
import { findBalance, type Measured, toScales, withoutCopies } from '../../../lib/engine/int8/balance.js';
import { createRandom } from '../../support/random.js';

const [ROWS, LINES, CHANNELS] = [32, 40, 64];

/** `sizes`: how large channels are, and the weights behind them. */
function measure(sizes: Record<number, { input?: number; weight?: number }>, seed = 1): Measured {
  const random = createRandom(seed);
  const grown = (values: Float32Array, part: 'input' | 'weight') =>
    values.map((value, i) => value * (sizes[i % CHANNELS]?.[part] ?? 1));
  const inputs = grown(random.normal(ROWS * CHANNELS), 'input');
  const lines = grown(random.normal(LINES * CHANNELS), 'weight');
  const energies = Float32Array.from({ length: ROWS }, (_, row) => {
    let energy = 0;
    for (let line = 0; line < LINES; line++) {
      let sum = 0;
      for (let i = 0; i < CHANNELS; i++) sum += inputs[row * CHANNELS + i]! * lines[line * CHANNELS + i]!;
      energy += sum * sum;
    }
    return energy;
  });
  return { channels: CHANNELS, inputs, energies, lines, share: 1 };
}

/** The products of rounded rows with balanced weights, as a share of what is lost. */
function lossOf(
  { inputs, lines, energies }: Measured,
  { factors, copied }: ReturnType<typeof findBalance>['balance'],
) {
  const scales = toScales({ factors, copied });
  const channels = [...scales.keys(), ...copied];
  let lost = 0;
  for (let row = 0; row < ROWS; row++) {
    const values = channels.map((channel, at) => inputs[row * CHANNELS + channel]! * factors[at]!);
    const step = Math.max(...values.map(Math.abs)) / 127;
    for (let line = 0; line < LINES; line++) {
      const weight = (at: number) => lines[line * CHANNELS + channels[at]!]! / scales[channels[at]!]!;
      const off = values.reduce(
        (sum, value, at) => sum + (Math.round(value / step) * step - value) * weight(at),
        0,
      );
      lost += (off * off) / energies[row]!;
    }
  }
  return Math.sqrt(lost / ROWS);
}

const IDENTITY = { factors: Array<number>(CHANNELS).fill(1), copied: [] };

describe('a balance', () => {
  it('changes no product: the parts of a channel are the whole channel', () => {
    const measured = measure({ 3: { input: 30 } });
    const { factors, copied } = findBalance(measured).balance;
    const scales = toScales({ factors, copied });
    const { inputs, lines } = measured;
    const channels = [...scales.keys(), ...copied];
    const product = channels.reduce(
      (sum, channel, at) => sum + inputs[channel]! * factors[at]! * (lines[channel]! / scales[channel]!),
      0,
    );
    const wanted = scales.reduce((sum, _, channel) => sum + inputs[channel]! * lines[channel]!, 0);
    expect(product).toBeCloseTo(wanted, 3);
  });

  it('takes away from large channels whose weights are small, all that it costs', () => {
    const sizes = { 3: { input: 40, weight: 1 / 40 }, 17: { input: 40, weight: 1 / 40 } };
    const [spiky, plain] = [measure(sizes), measure({})];
    const found = findBalance(spiky);
    expect(lossOf(spiky, IDENTITY)).toBeGreaterThan(5 * lossOf(plain, IDENTITY));
    expect(lossOf(spiky, found.balance)).toBeLessThan(1.2 * lossOf(plain, findBalance(plain).balance));
  });

  it('copies channels that are still large, into about a sixteenth more, where that helps', () => {
    const spiky = measure({ 5: { input: 12 }, 6: { input: 12 }, 7: { input: 12 } }, 2);
    const { balance } = findBalance(spiky);
    expect(balance.copied).toHaveLength(8);
    for (const channel of [5, 6, 7]) expect(balance.copied).toContain(channel);
    expect(lossOf(spiky, balance)).toBeLessThan(0.9 * lossOf(spiky, withoutCopies(balance)));
  });

  it('copies nothing where one channel would take all copies', () => {
    const { balance } = findBalance(measure({ 5: { input: 100 } }));
    expect(balance.copied).toEqual([]);
  });

  it('knows what is lost', () => {
    for (const sizes of [{}, { 5: { input: 30 } }]) {
      const measured = measure(sizes);
      const { balance, loss } = findBalance(measured);
      expect(loss / lossOf(measured, balance)).toBeGreaterThan(0.8);
      expect(loss / lossOf(measured, balance)).toBeLessThan(1.25);
    }
  });

  it('does not magnify a channel that the text hardly used', () => {
    const { factors } = withoutCopies(findBalance(measure({ 9: { input: 1e-6 } })).balance);
    const others = factors.filter((_, channel) => channel !== 9).sort((a, b) => a - b);
    expect(factors[9]! / others[others.length >> 1]!).toBeLessThan(6);
  });

  it('is found for rows of zeros, and for weights of zeros', () => {
    const measured = measure({});
    for (const zero of ['inputs', 'lines', 'energies'] as const) {
      const { balance, loss } = findBalance({ ...measured, [zero]: measured[zero].map(() => 0) });
      expect(balance.factors.every(factor => Number.isFinite(factor) && factor > 0)).toBe(true);
      expect(Number.isFinite(loss)).toBe(true);
    }
  });
});
