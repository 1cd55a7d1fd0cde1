// What is known of a base model, without its name.
import * as z from 'zod/mini';

/** About how many bytes, by the precision of the weights. */
const memoryNeed = z.object({ f32: z.int(), int8: z.int() });

/** In tokens a second, at best so far. */
const modelSpeed = z.object({
  training: z.nullable(z.number()),
  answering: z.nullable(z.number()),
});

export type ModelSpeed = z.output<typeof modelSpeed>;

/** Of a cloud's base model. */
export const servedModelFacts = z.object({
  /** As its files name it. */
  architecture: z.nullable(z.string()),
  parameters: z.nullable(z.int()),
  /** The most tokens of a text. */
  context: z.nullable(z.int()),
  /** How most of its weights are stored, such as BF16 or Q4_K_M. */
  weightFormat: z.nullable(z.string()),
  license: z.nullable(z.string()),
  /** On disk. */
  bytes: z.int(),
  /** Null if svc does not run it. */
  memory: z.nullable(z.object({ training: memoryNeed, chat: memoryNeed })),
  /** Null until it was measured. */
  speed: z.nullable(modelSpeed),
});

export type ServedModelFacts = z.output<typeof servedModelFacts>;

/** `speeds.json` in the local cloud's data folder: by base model and machine, the latest last. */
export const speedsFile = z.record(z.string(), modelSpeed);

export type SpeedsFile = z.output<typeof speedsFile>;
