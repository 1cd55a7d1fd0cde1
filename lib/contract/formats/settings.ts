// Settings that programs send whatever the model is. Advice is accepted: ignoring it changes neither what an answer may
// claim nor what it costs. The rest is refused by name, unless its value requests nothing. docs/openai.md lists both.
import * as z from 'zod/mini';
import { type Features, isEmpty, metadata, NEVER_NEUTRAL } from './published-format.js';

const text = z.optional(z.string());
const object = z.optional(z.looseObject({}));
const verbosity = z.optional(z.enum(['low', 'medium', 'high']));
/** All that clients know; a model that thinks is told `none` and `minimal` apart from the others. */
const effort = z.optional(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']));
/** New levels appear with new services. */
const level = text;

const reasoningSummary = z.optional(z.enum(['auto', 'concise', 'detailed']));

const aboutTheCaller = {
  metadata: z.optional(metadata),
  prompt_cache_key: text,
  prompt_cache_retention: z.optional(z.enum(['in-memory', 'in_memory', '24h'])),
  safety_identifier: text,
  service_tier: level,
  user: text,
};

/** Schemas of fields that are accepted without effect, by format, and by field for those inside of one. */
export const ADVICE = {
  chat: { ...aboutTheCaller, prediction: object, reasoning_effort: effort, verbosity },
  completions: { user: text },
  embeddings: { user: text },
  responses: {
    ...aboutTheCaller,
    context_management: z.optional(z.array(z.looseObject({}))),
    max_tool_calls: z.optional(z.int()),
    reasoning: z.optional(
      z.object({
        effort,
        summary: reasoningSummary,
        generate_summary: reasoningSummary,
      }),
    ),
    truncation: z.optional(z.enum(['auto', 'disabled'])),
  },
  messages: {
    cache_control: object,
    context_management: object,
    inference_geo: text,
    metadata: object,
    service_tier: level,
    speed: text,
  },
  stream_options: { include_obfuscation: z.optional(z.boolean()) },
  text: { verbosity },
  output_config: { effort },
} as const;

export const streamOptions = z.object({ include_usage: z.optional(z.boolean()), ...ADVICE.stream_options });

/** Fields that are refused, by format. */
export const REFUSED = {
  chat: {
    audio: NEVER_NEUTRAL,
    data_sources: isEmpty,
    modalities: value => Array.isArray(value) && value.every(entry => entry === 'text'),
    web_search_options: NEVER_NEUTRAL,
  },
  completions: { best_of: value => value === 1, suffix: value => value === '' },
  responses: { prompt: NEVER_NEUTRAL },
  messages: {
    container: NEVER_NEUTRAL,
    mcp_servers: isEmpty,
  },
} as const satisfies Record<string, Features>;
