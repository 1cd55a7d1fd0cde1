import { describe, expect, it } from 'vitest';
import { fillTemplate, parseTemplate } from '../../lib/grading/templates.js';

const call = { id: 'call_1', type: 'function' as const, function: { name: 'find', arguments: '{"a":1}' } };
const graded = {
  item: { answer: 'Paris', count: 2, list: [{ name: 'x' }], none: null, 'with space': 'y', größe: 'z' },
  sample: { text: '{"name": "Ann", "tags": ["a"], "inner": {"{{ item.answer }}": 1}}', toolCalls: [call] },
};
const fill = (text: string, given: Parameters<typeof fillTemplate>[1] = graded) =>
  fillTemplate(parseTemplate(text), given);

describe('templates of graders', () => {
  it.each([
    ['plain', 'plain'],
    ['{{ item.answer }}', 'Paris'],
    ['{{item.answer}}, {{  item.count  }}.', 'Paris, 2.'],
    ['{{ item.list[0].name }}', 'x'],
    ['{{ item.list }}', '[{"name":"x"}]'],
    ['{{ item.none }}', 'null'],
    ["{{ item['with space'] }}", 'y'],
    ['{{ item["with space"] }}{{ item.größe }}', 'yz'],
    ['{{ sample.output_json.name }}', 'Ann'],
    ['{{ sample.output_json.tags[0] }}', 'a'],
    ['{{ sample.output_text }}', graded.sample.text],
    ['{{ sample.output_tools[0].function.name }}', 'find'],
    ['{{ sample.output_tools[0].function.arguments }}', '{"a":1}'],
    ['{{ sample.choices[0].message.tool_calls[0].id }}', 'call_1'],
    ['{{ sample.choices[0].finish_reason }}', 'tool_calls'],
    ['{ item.answer } {{{ item.answer }}}', '{ item.answer } {Paris}'],
  ])('%s', (text, expected) => {
    expect(fill(text)).toBe(expected);
  });

  it('does not read again what was filled in', () => {
    const item = { a: '{{ item.b }}', b: 'secret' };
    expect(fill('{{ item.a }}', { ...graded, item })).toBe('{{ item.b }}');
  });

  it.each([
    '{{ }}',
    '{{ answer }}',
    '{{ item }}',
    '{{ item. }}',
    '{{ item.a b }}',
    '{{ items.a }}',
    '{{ sample.text }}',
  ])('%s names nothing', text => {
    expect(() => parseTemplate(text)).toThrow(expect.objectContaining({ code: 'invalid_variable_error' }));
  });

  it.each([
    '{{ item.missing }}',
    '{{ item.list[7] }}',
    '{{ item.list.length }}',
    '{{ item.constructor }}',
    '{{ item.answer[0] }}',
  ])('%s is not in the row', text => {
    expect(() => fill(text)).toThrow(expect.objectContaining({ code: 'invalid_variable_error' }));
  });

  it('tells an answer that lacks something from a row that does', () => {
    const sample = { text: 'not JSON' };
    expect(() => fill('{{ sample.output_json }}', { item: {}, sample })).toThrow('The answer is not JSON.');
    expect(() => fill('{{ sample.output_json.name }}', { item: {}, sample: { text: '3' } })).toThrow(
      'The answer has no sample.output_json.name.',
    );
    expect(() => fill('{{ sample.output_tools[0].function.name }}', { item: {}, sample })).toThrow(
      'The answer has no sample.output_tools[0].function.name.',
    );
  });

  it('reads braces in any number in one pass', () => {
    const many = '{{'.repeat(50_000);
    expect(fill(many)).toBe(many);
  });
});
