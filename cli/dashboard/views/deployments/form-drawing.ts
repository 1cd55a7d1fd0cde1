// The form as lines: one field per row, with its problem below.
import {
  type DeploymentDraft,
  type DraftField,
  JOB_ID_RULE,
  SLUG_RULE,
  TARGET_KINDS,
} from '../../../../lib/console/index.js';
import type { Canvas, Drawn, FieldPlace } from '../../drawing/canvas.js';
import { type Line, line, quiet, type Span, span } from '../../drawing/line.js';
import { messageLines, paragraph, problemRows } from '../../drawing/words.js';
import { type FieldName, type FormState, fieldsOf, isTextField, type TextFieldName } from './form-state.js';

const LABELS: Readonly<Record<FieldName, string>> = {
  slug: 'Slug',
  kind: 'Target',
  jobId: 'Job ID',
  step: 'Step',
  authMode: 'Auth mode',
  create: '',
};
/** What a field expects, shown while it has the focus. */
const RULES: { readonly [name in FieldName]?: string } = {
  slug: SLUG_RULE,
  jobId: `${JOB_ID_RULE} Press c there to copy it.`,
};
const INDENT = 2;
const LABEL_WIDTH = 12;
const COLUMN = INDENT + LABEL_WIDTH;

interface FormContext {
  readonly baseModel: string | null;
  type(field: TextFieldName, text: string): void;
}

export function drawForm(form: FormState, { baseModel, type }: FormContext, canvas: Canvas): Drawn {
  const { width, glyphs } = canvas;
  const lines: Line[] = [line(' New endpoint', { bold: true }), ...spacer(canvas)];
  let field: FieldPlace | undefined;
  for (const name of fieldsOf(form)) {
    if (name === 'create') lines.push(...spacer(canvas));
    if (name === form.focus && isTextField(name)) {
      const value = form.draft[name];
      const place = { row: lines.length, column: COLUMN, width: width - COLUMN - 1 };
      field = { ...place, id: `form-${name}`, value, change: text => type(name, text) };
    }
    lines.push(fieldLine(name, form, baseModel, canvas), ...below(name, form, canvas));
  }
  lines.push(...problemRows(form.problem, { width, glyphs }, 4));
  return { lines, field };
}

/** A blank line, if there is room for it. */
function spacer({ height }: Canvas): Line[] {
  return height >= 16 ? [[]] : [];
}

function fieldLine(name: FieldName, form: FormState, baseModel: string | null, canvas: Canvas): Line {
  const isFocused = name === form.focus;
  const pointer = span(isFocused ? `${canvas.glyphs.prompt} ` : '  ', { tone: 'accent', bold: true });
  if (name === 'create') return [pointer, ...button(form, isFocused)];
  const label = span(LABELS[name].padEnd(LABEL_WIDTH), isFocused ? { bold: true } : quiet);
  return [pointer, label, ...valueSpans(name, form.draft, isFocused, baseModel, canvas)];
}

function valueSpans(
  name: Exclude<FieldName, 'create'>,
  draft: DeploymentDraft,
  isFocused: boolean,
  baseModel: string | null,
  { glyphs: { choice } }: Canvas,
): Span[] {
  // The active text field is drawn over this row.
  if (isTextField(name)) return isFocused ? [] : [span(draft[name] || '–', draft[name] ? {} : quiet)];
  const value =
    name === 'kind' ? (TARGET_KINDS.find(kind => kind.value === draft.kind)?.label ?? '') : draft.authMode;
  const model = name === 'kind' && draft.kind === 'base_model' ? `: ${baseModel ?? 'not known yet'}` : '';
  const arrow = isFocused ? { tone: 'accent' as const, bold: true } : quiet;
  return [span(`${choice[0]} `, arrow), span(value + model), span(` ${choice[1]}`, arrow)];
}

function button({ isSending }: FormState, isFocused: boolean): Span[] {
  const label = isSending ? ' Creating… ' : ' Create endpoint ';
  return [span(label, isFocused ? { inverse: true, bold: true } : { bold: true })];
}

/** The field's problem, or what it expects. */
function below(name: FieldName, { problems, focus }: FormState, { width }: Canvas): Line[] {
  const problem = problemOf(name, problems);
  const room = width - COLUMN - 1;
  if (problem) return indent(messageLines(problem, room, { tone: 'failed' }, 2));
  const rule = name === focus ? RULES[name] : undefined;
  return rule ? indent(paragraph(rule, room, quiet, 2)) : [];
}

function problemOf(name: FieldName, problems: FormState['problems']): string | undefined {
  if (name === 'create') return undefined;
  const field: DraftField = name === 'kind' ? 'baseModel' : name;
  return problems[field];
}

function indent(lines: readonly Line[]): Line[] {
  return lines.map(row => [span(' '.repeat(COLUMN)), ...row]);
}
