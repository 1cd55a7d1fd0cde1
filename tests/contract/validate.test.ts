import { describe, expect, it } from 'vitest';
import {
  ApiError,
  cloudDeploymentInput,
  deploymentPatch,
  inferenceRequest,
  jobInput,
  parseRequest,
  type Schema,
} from '../../lib/contract/index.js';

const ID = '11111111-2222-4333-8444-555555555555';
const source = { type: 'upload', datasetId: 'd1' };
const messages = [{ role: 'user', content: 'hi' }];

function refusal(schema: Schema, body: unknown): ApiError {
  try {
    parseRequest(schema, body);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('a request that does not fit', () => {
  it.each<[string, Schema, unknown, string, string | null, string]>([
    [
      'a field that nobody knows',
      deploymentPatch,
      { enabled: true, target: {} },
      'unknown_field',
      'target',
      '`target` is not a known field.',
    ],
    ['a field that is missing', jobInput, { name: 'a' }, 'invalid_value', 'config', '`config` is required.'],
    [
      'another type',
      deploymentPatch,
      { enabled: 'false' },
      'invalid_value',
      'enabled',
      '`enabled` must be `true` or `false`.',
    ],
    [
      'null where nothing may be null',
      deploymentPatch,
      { authMode: null },
      'invalid_value',
      'authMode',
      '`authMode` must be one of `fixed_api_key`, `none`.',
    ],
    ['a body that is no object', deploymentPatch, 'x', 'invalid_value', null, 'The body must be an object.'],
    ['no body at all', deploymentPatch, undefined, 'invalid_value', null, 'The body is required.'],
    [
      'a number out of range',
      inferenceRequest,
      { messages, baseModel: 'b', temperature: 3 },
      'invalid_value',
      'temperature',
      '`temperature` must be at most 2.',
    ],
    [
      'a fraction where a whole number is meant',
      inferenceRequest,
      { messages, baseModel: 'b', maxTokens: 1.5 },
      'invalid_value',
      'maxTokens',
      '`maxTokens` must be a whole number.',
    ],
    [
      'an empty list',
      inferenceRequest,
      { messages: [], baseModel: 'b' },
      'invalid_value',
      'messages',
      '`messages` must have at least 1 entry.',
    ],
    [
      'something deep inside',
      inferenceRequest,
      { messages: [{ role: 'user', content: 7 }], baseModel: 'b' },
      'invalid_value',
      'messages[0].content',
      '`messages[0].content` must be a string or a list.',
    ],
    [
      'a kind that does not exist',
      inferenceRequest,
      { messages: [{ role: 'robot', content: 'x' }], baseModel: 'b' },
      'invalid_value',
      'messages[0].role',
      '`messages[0].role` is missing or has an unknown value.',
    ],
    [
      'an id that is none',
      inferenceRequest,
      { messages, adapter: { kind: 'final', jobId: '../x' } },
      'invalid_value',
      'adapter.jobId',
      '`adapter.jobId` must be a UUID.',
    ],
    [
      'an unknown field deep inside',
      jobInput,
      { name: 'a', config: { model: 'm', datasetSource: { ...source, path: '/etc/passwd' } } },
      'unknown_field',
      'config.datasetSource.path',
      '`config.datasetSource.path` is not a known field.',
    ],
    [
      'an address that is no web address',
      jobInput,
      { name: 'a', config: { model: 'm', datasetSource: { type: 'blob', url: 'file:///etc/passwd' } } },
      'invalid_value',
      'config.datasetSource.url',
      '`config.datasetSource.url` must be a URL that starts with http:// or https://.',
    ],
    [
      'two sources of evaluation',
      jobInput,
      {
        name: 'a',
        config: { model: 'm', datasetSource: source, evalDatasetSource: source, evalFraction: 0.1 },
      },
      'invalid_value',
      'config.evalFraction',
      '`config.evalFraction` cannot be combined with `evalDatasetSource`.',
    ],
    [
      'a name with an escape sequence',
      jobInput,
      { name: 'a\u001b[31m', config: { model: 'm', datasetSource: source } },
      'invalid_value',
      'name',
      '`name` must not contain control characters.',
    ],
    [
      'a short slug',
      cloudDeploymentInput,
      { slug: 'a', target: { kind: 'base_model', baseModel: 'm' } },
      'slug_invalid',
      'slug',
      '`slug` must have at least 2 characters.',
    ],
  ])('%s is named in one sentence', (_, schema, body, code, param, message) => {
    const error = refusal(schema, body);
    expect({ code: error.code, param: error.param, message: error.message, status: error.status }).toEqual({
      code,
      param,
      message,
      status: 400,
    });
  });

  it('is refused when it names both a base model and an adapter, or neither', () => {
    const adapter = { kind: 'final', jobId: ID };
    expect(refusal(inferenceRequest, { messages, baseModel: 'b', adapter }).param).toBe('adapter');
    expect(refusal(inferenceRequest, { messages }).param).toBe('adapter');
    expect(parseRequest(inferenceRequest, { messages, adapter })).toEqual({ messages, adapter });
  });
});
