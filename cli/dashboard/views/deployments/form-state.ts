// The state of the form that creates an endpoint: the entries, the focused field and the problems.
import {
  type DeploymentDraft,
  type DraftField,
  type DraftProblems,
  emptyDraft,
  TARGET_KINDS,
} from '../../../../lib/console/index.js';
import { AUTH_MODES } from '../../../../lib/contract/index.js';
import { neighborOf } from '../../core/list.js';

export type FieldName = 'slug' | 'kind' | 'jobId' | 'step' | 'authMode' | 'create';
export type TextFieldName = 'slug' | 'jobId' | 'step';

export interface FormState {
  readonly draft: DeploymentDraft;
  readonly focus: FieldName;
  readonly problems: DraftProblems;
  /** The cloud's error, unless it is about a field. */
  readonly problem: string | null;
  readonly isSending: boolean;
}

export type FormAction =
  | { readonly type: 'typed'; readonly field: TextFieldName; readonly text: string }
  | { readonly type: 'focus' | 'choose'; readonly distance: -1 | 1 }
  | { readonly type: 'sending' }
  | { readonly type: 'refused'; readonly problems: DraftProblems; readonly problem: string | null };

export const newForm: FormState = {
  draft: emptyDraft,
  focus: 'slug',
  problems: {},
  problem: null,
  isSending: false,
};

export function reduceForm(form: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'typed':
      return change(form, { [action.field]: action.text }, action.field);
    case 'focus':
      return { ...form, focus: neighborOf(fieldsOf(form), form.focus, action.distance) };
    case 'choose':
      return choose(form, action.distance);
    case 'sending':
      return { ...form, isSending: true, problems: {}, problem: null };
    case 'refused':
      return refuse(form, action.problems, action.problem);
  }
}

/** The fields for the chosen kind of target, from top to bottom. */
export function fieldsOf({ draft: { kind } }: Pick<FormState, 'draft'>): FieldName[] {
  return [
    'slug',
    'kind',
    ...(kind === 'base_model' ? [] : (['jobId'] as const)),
    ...(kind === 'checkpoint' ? (['step'] as const) : []),
    'authMode',
    'create',
  ];
}

export function isTextField(field: FieldName): field is TextFieldName {
  return field === 'slug' || field === 'jobId' || field === 'step';
}

function choose(form: FormState, distance: -1 | 1): FormState {
  if (form.focus === 'authMode')
    return change(form, { authMode: neighborOf(AUTH_MODES, form.draft.authMode, distance) }, 'authMode');
  if (form.focus !== 'kind') return form;
  const kinds = TARGET_KINDS.map(({ value }) => value);
  return { ...change(form, { kind: neighborOf(kinds, form.draft.kind, distance) }, 'jobId'), problem: null };
}

function change(form: FormState, part: Partial<DeploymentDraft>, field: DraftField): FormState {
  const { [field]: _fixed, ...problems } = form.problems;
  return { ...form, draft: { ...form.draft, ...part }, problems };
}

/** Moves the focus to the first field with a problem. */
function refuse(form: FormState, problems: DraftProblems, problem: string | null): FormState {
  const focus = fieldsOf(form).find(field => Object.hasOwn(problems, field)) ?? form.focus;
  return { ...form, problems, problem, focus, isSending: false };
}
