// What is known of a base model, without its name, and which are the same one.
import * as z from 'zod/mini';

/** About how many bytes, by the precision of the weights. */
const memoryNeed = z.object({ f32: z.int(), int8: z.int() });

/** In tokens a second, at best so far. */
const modelSpeed = z.object({
  training: z.nullable(z.number()),
  answering: z.nullable(z.number()),
});

export type ModelSpeed = z.output<typeof modelSpeed>;

const sampling = z.object({
  temperature: z.optional(z.number()),
  topP: z.optional(z.number()),
  topK: z.optional(z.int()),
});

/** Of a cloud's base model. */
const servedModelFacts = z.object({
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
  /** Without a chat template, a model neither chats nor learns from messages. Null if its files cannot be read. */
  hasChatTemplate: z.nullable(z.boolean()),
  /** What its `generation_config.json` recommends. */
  sampling,
});

export type ServedModelFacts = z.output<typeof servedModelFacts>;

/** `speeds.json` in the local cloud's data folder: by base model and machine, the latest last. */
export const speedsFile = z.record(z.string(), modelSpeed);

export type SpeedsFile = z.output<typeof speedsFile>;

/** What a cloud says of its base model to anyone. */
export const servedModel = z.object({
  name: z.string(),
  /** Distinguishes models of the same name. Missing if the cloud does not know its files. */
  digest: z.optional(z.string()),
  /** Null if the cloud does not know its files. */
  facts: z.nullable(servedModelFacts),
  /** What a chat waits for before the model can answer, in a sentence. */
  preparing: z.nullable(z.string()),
});

export type ServedModel = z.output<typeof servedModel>;

export interface NamedModel {
  name: string;
  digest?: string | null | undefined;
}

/** By their digests, since the same model may have other names. Names count only where a digest is not known. */
export function isSameModel(one: NamedModel, other: NamedModel): boolean {
  const areKnown = one.digest != null && other.digest != null;
  return areKnown ? one.digest === other.digest : one.name === other.name;
}
