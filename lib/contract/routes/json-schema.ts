// Writes zod schemas as JSON Schema. Named shapes are written once and referenced.
import * as z from 'zod/mini';
import { adapterRef, deployment, target } from '../deployment.js';
import { chatCompletion, chatCompletionChunk } from '../formats/chat.js';
import { chatMessage } from '../formats/chat-messages.js';
import { project } from '../identity.js';
import { jobEvent } from '../job/event.js';
import { artifact, datasetSource, job, jobConfig, jobConfigInput, jobSummary } from '../job/job.js';
import { key } from '../key.js';
import type { Schema } from '../route.js';

export type Json = Record<string, unknown>;

const NAMED: Readonly<Record<string, z.ZodMiniType>> = {
  AdapterRef: adapterRef,
  Artifact: artifact,
  ChatCompletion: chatCompletion,
  ChatCompletionChunk: chatCompletionChunk,
  ChatMessage: chatMessage,
  DatasetSource: datasetSource,
  Deployment: deployment,
  Job: job,
  JobConfig: jobConfig,
  JobConfigInput: jobConfigInput,
  JobEvent: jobEvent,
  JobSummary: jobSummary,
  Key: key,
  Project: project,
  Target: target,
};
export interface SchemaWriter {
  /** JSON Schema of a request (`input`) or a response (`output`). */
  write(schema: Schema, io: 'input' | 'output'): Json;
  /** The named shapes referenced so far. */
  named(): Json;
}

/** References start with `refBase`. */
export function createSchemaWriter(refBase: string): SchemaWriter {
  const found: Json = {};
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) names.add(schema, { id });
  return {
    write(schema, io) {
      const document = z.toJSONSchema(schema, {
        io,
        metadata: names,
        unrepresentable: 'any',
        override: context => {
          dropNoise(context);
          if (io === 'input') requireGuarded(context);
        },
      }) as Json;
      const { $schema: _, $defs = {}, id: __, ...rest } = rebase(document, refBase) as Json;
      for (const [name, definition] of Object.entries($defs as Record<string, Json>)) {
        const { id: ___, ...shape } = definition;
        found[name] = shape;
      }
      return rest;
    },
    named: () => Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * Drops what a format already implies, the bounds of safe integers, and `additionalProperties` limits that we do not
 * enforce.
 */
function dropNoise({ zodSchema, jsonSchema }: { zodSchema: Schema; jsonSchema: Json }): void {
  if (jsonSchema.format) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  const { type, catchall } = zodSchema._zod.def as { type: string; catchall?: unknown };
  if (type === 'object' && !catchall) delete jsonSchema.additionalProperties;
}

/** A transform takes anything, also nothing: whether a field may be missing is up to the schema behind it. */
function requireGuarded({ zodSchema, jsonSchema }: { zodSchema: Schema; jsonSchema: Json }): void {
  const { type, shape = {} } = zodSchema._zod.def as { type: string; shape?: Record<string, Schema> };
  if (type !== 'object') return;
  const required = Object.keys(shape).filter(name => !mayBeMissing(shape[name]!));
  if (required.length > 0) jsonSchema.required = required;
}

function mayBeMissing(schema: Schema): boolean {
  const { type, in: before, out } = schema._zod.def as { type: string; in?: Schema; out?: Schema };
  if (type !== 'pipe') return schema._zod.optin !== undefined;
  return mayBeMissing(before!._zod.def.type === 'transform' ? out! : before!);
}

function rebase(value: unknown, refBase: string): unknown {
  if (Array.isArray(value)) return value.map(part => rebase(part, refBase));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) =>
      name === '$ref' && typeof part === 'string'
        ? [name, part.replace('#/$defs/', refBase)]
        : [name, rebase(part, refBase)],
    ),
  );
}
