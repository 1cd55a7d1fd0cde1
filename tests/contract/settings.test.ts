// Settings that mean nothing to the models here: accepted as advice, or refused by name, as docs/openai.md says.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ADVICE, REFUSED } from '../../lib/contract/formats/settings.js';
import {
  ApiError,
  parseChatRequest,
  parseCompletionRequest,
  parseEmbeddingRequest,
  parseMessagesRequest,
  parseResponsesRequest,
} from '../../lib/contract/index.js';

const messages = [{ role: 'user', content: 'hi' }];
const common = {
  metadata: { a: 'b' },
  prompt_cache_key: 'k',
  prompt_cache_retention: '24h',
  safety_identifier: 's',
  service_tier: 'flex',
  user: 'u',
};
const stream_options = { include_obfuscation: true };

interface Format {
  title: string;
  parse(body: unknown): object;
  least: object;
  /** All that is advice. */
  advice: object;
  /** All that is refused. */
  refused: object;
}

const FORMATS: Record<keyof typeof REFUSED | 'embeddings', Format> = {
  chat: {
    title: 'chat completions',
    parse: parseChatRequest,
    least: { messages },
    advice: {
      ...common,
      stream_options,
      prediction: { type: 'content', content: 'hi' },
      reasoning_effort: 'xhigh',
      verbosity: 'low',
    },
    refused: {
      audio: { voice: 'x' },
      data_sources: [{ type: 'azure_search' }],
      modalities: ['text', 'audio'],
      web_search_options: {},
    },
  },
  responses: {
    title: 'responses',
    parse: parseResponsesRequest,
    least: { input: 'hi' },
    advice: {
      ...common,
      stream_options,
      context_management: [{ type: 'compaction' }],
      max_tool_calls: 3,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'high' },
      truncation: 'auto',
    },
    refused: {
      prompt: { id: 'p' },
    },
  },
  completions: {
    title: 'completions',
    parse: parseCompletionRequest,
    least: { prompt: 'hi' },
    advice: { user: 'u', stream_options },
    refused: { best_of: 2, suffix: 'x' },
  },
  embeddings: {
    title: 'embeddings',
    parse: parseEmbeddingRequest,
    least: { input: 'hi' },
    advice: { user: 'u' },
    refused: {},
  },
  messages: {
    title: "Anthropic's messages",
    parse: parseMessagesRequest,
    least: { model: 'm', max_tokens: 9, messages },
    advice: {
      cache_control: { type: 'ephemeral' },
      context_management: { edits: [] },
      inference_geo: 'us',
      metadata: { user_id: 'u' },
      output_config: { effort: 'low' },
      service_tier: 'standard_only',
      speed: 'fast',
    },
    refused: {
      container: 'c',
      mcp_servers: [{}],
    },
  },
};

function refusalOf(read: () => unknown): ApiError {
  try {
    read();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

/** Fields inside of one, such as `text.verbosity`, by their full names. */
const namesOf = (fields: object) =>
  Object.entries(fields).map(([name, value]) =>
    name in ADVICE && typeof value === 'object' ? `${name}.${Object.keys(value)[0]}` : name,
  );

describe.each(Object.entries(FORMATS))(
  'a setting of %s',
  (name, { title, parse, least, advice, refused }) => {
    it('is accepted if it is advice, alone and with the rest', () => {
      expect(parse({ ...least, ...advice })).toEqual({ ...least, ...advice });
      const nulls = Object.fromEntries(Object.keys({ ...advice, ...refused }).map(field => [field, null]));
      expect(parse({ ...least, ...nulls })).toEqual(least);
    });

    it('must have the right type', () => {
      for (const field of Object.keys(advice)) {
        const error = refusalOf(() => parse({ ...least, [field]: -0.5 }));
        expect([field, error.code, error.param]).toEqual([field, 'invalid_value', field]);
      }
    });

    it('is refused by name if an answer would be another with it', () => {
      for (const [field, value] of Object.entries(refused)) {
        const error = refusalOf(() => parse({ ...least, [field]: value }));
        expect([field, error.code, error.param]).toEqual([field, 'unsupported_parameter', field]);
      }
    });

    it('is in the table of the docs', async () => {
      const docs = await readFile(new URL('../../docs/openai.md', import.meta.url), 'utf8');
      const row = docs
        .split('\n')
        .find(line => line.startsWith(`| ${title} | `) && line.split(' | ').length > 2);
      const [, ...columns] = row!.slice(0, -1).split(' | ');
      const listed = columns.map(column =>
        [...column.matchAll(/`([a-z_.]{3,})`/g)].map(([, field]) => field),
      );
      expect(listed[0]).toEqual(namesOf(advice).toSorted());
      expect(listed[1] ?? []).toEqual(Object.keys(refused));
      const format = name as keyof typeof FORMATS;
      const known = Object.keys(ADVICE[format]).toSorted();
      expect(
        Object.keys(advice)
          .filter(field => !(field in ADVICE))
          .toSorted(),
      ).toEqual(known);
      expect(Object.keys(refused)).toEqual(format === 'embeddings' ? [] : Object.keys(REFUSED[format]));
    });
  },
);

it.each<[keyof typeof REFUSED, object, string]>([
  ['chat', { reasoning_effort: 'extreme' }, 'reasoning_effort'],
  ['responses', { reasoning: { effort: 'extreme' } }, 'reasoning.effort'],
  ['messages', { output_config: { effort: 'extreme' } }, 'output_config.effort'],
])('an effort that no client knows is refused by name in %s', (name, setting, param) => {
  const { parse, least } = FORMATS[name];
  const refused = expect.objectContaining({ status: 400, param, message: expect.stringContaining('xhigh') });
  expect(() => parse({ ...least, ...setting })).toThrow(refused);
});
