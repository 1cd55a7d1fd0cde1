// A task on the wire: what is accepted, and what is too big, too deep or at odds with itself.
import { describe, expect, it } from 'vitest';
import {
  findFault,
  LONGEST_TASK,
  MOST_LABELS,
  type TaskDescription,
  taskDescription,
  taskInput,
} from '../../lib/contract/index.js';

const text = { type: 'string' };
const triage: TaskDescription = {
  name: 'triage',
  kind: 'labels',
  input: text,
  output: { ...text, enum: ['bug', '質問'] },
  labels: ['bug', '質問'],
};
const invoice: TaskDescription = {
  name: 'invoice',
  kind: 'fields',
  input: text,
  output: { type: 'object' },
  fields: [
    { name: '__proto__', type: 'text', optional: true },
    { name: 'kind', type: 'label', labels: ['a', 'b'] },
  ],
  prompt: [{ role: 'user', content: ['Read this: ', { path: [], as: 'text' }] }],
};

const nested = (levels: number): object => (levels === 0 ? {} : { items: nested(levels - 1) });
const labels = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`);
const faultOf = (task: object) => findFault(taskInput, task, 'The task');

describe('a task in a request', () => {
  it.each([triage, invoice])('is kept as it is: $name', task => {
    expect(taskInput.parse(structuredClone(task))).toEqual(task);
    expect(faultOf({ ...triage, labels: labels(MOST_LABELS) })).toBeNull();
  });

  it.each<[string, object]>([
    ['`name` must have at least 1 character.', { ...triage, name: ' ' }],
    ['`kind` must be one of `labels`, `fields`, `text`.', { ...triage, kind: 'number' }],
    ['`code` is not a known field.', { ...triage, code: 'x' }],
    ['`labels` must be there for the kind `labels` only.', { ...triage, labels: undefined }],
    ['`labels` must be there for the kind `labels` only.', { ...invoice, labels: ['a'] }],
    ['`fields` must be there for the kind `fields` only.', { ...invoice, fields: undefined }],
    ['`labels` must have at most 1000 entries.', { ...triage, labels: labels(MOST_LABELS + 1) }],
    ['`labels` must not have a label twice.', { ...triage, labels: ['a', 'a'] }],
    ['The task must be nested at most 40 levels.', { ...triage, output: nested(50_000 / 10) }],
    [
      'The task must have at most 64,000 characters of JSON.',
      { ...triage, input: { description: 'x'.repeat(LONGEST_TASK) } },
    ],
    ['`prompt` must have at least 1 entry.', { ...triage, prompt: [] }],
  ])('is refused: %s', (message, task) => {
    expect(faultOf(task)).toBe(message);
  });
});

it('a task in a response may have what a newer cloud adds', () => {
  expect(taskDescription.parse({ ...triage, rewards: ['exact'] })).toEqual(triage);
});
