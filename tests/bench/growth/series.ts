// What growth is measured along: one thing grows at a time, the others stay at their usual size.
import type { BenchShape } from '../engine/shapes.js';
import { BENCH_SHAPES } from '../engine/shapes.js';
import type { Measurement, Point } from './point.js';

interface PlannedPoint {
  label: string;
  shape: BenchShape;
  point: Point;
}

export interface Series {
  title: string;
  points: PlannedPoint[];
}

export interface MeasuredSeries {
  title: string;
  points: ({ label: string } & Measurement)[];
}

const [TINY, USUAL] = BENCH_SHAPES as [BenchShape, BenchShape];
const [TOKENS, RANK] = [512, 16];

/** Of the 135 million parameters, with other widths and depths. */
function shapeOf(name: string, config: Record<string, number>): BenchShape {
  return { ...USUAL, name, config: { ...USUAL.config, ...config } };
}

const SHAPES: readonly (readonly [label: string, BenchShape])[] = [
  ['5M', TINY],
  [
    '40M',
    shapeOf('40m', {
      hidden_size: 384,
      num_hidden_layers: 12,
      num_attention_heads: 6,
      num_key_value_heads: 2,
      intermediate_size: 1024,
    }),
  ],
  ['135M', USUAL],
  [
    '360M',
    shapeOf('360m', {
      hidden_size: 960,
      num_hidden_layers: 32,
      num_attention_heads: 15,
      num_key_value_heads: 5,
      intermediate_size: 2560,
    }),
  ],
  [
    '500M',
    shapeOf('500m', {
      hidden_size: 1024,
      num_hidden_layers: 37,
      num_attention_heads: 16,
      num_key_value_heads: 4,
      intermediate_size: 3072,
    }),
  ],
];

const train = (tokens: number, rank: number): Point => ({ kind: 'train', tokens, rank });

export const GROWTH: readonly Series[] = [
  {
    title: 'Training: tokens a step',
    points: [128, 256, 512, 1024, 2048, 4096].map(tokens => ({
      label: tokens.toLocaleString('en'),
      shape: USUAL,
      point: train(tokens, RANK),
    })),
  },
  {
    title: 'Training: rank of the adapter',
    points: [8, 16, 32, 64].map(rank => ({ label: `${rank}`, shape: USUAL, point: train(TOKENS, rank) })),
  },
  {
    title: 'Training: parameters',
    points: SHAPES.map(([label, shape]) => ({ label, shape, point: train(TOKENS, RANK) })),
  },
  {
    title: 'Answering: concurrent chats',
    points: [1, 2, 4, 8, 16, 32].map(chats => ({
      label: `${chats}`,
      shape: USUAL,
      point: { kind: 'chat', chats },
    })),
  },
];
