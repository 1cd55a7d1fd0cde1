// The form that creates an endpoint: what was typed, and the request that it makes. Which labels are reserved, which are
// taken and which jobs exist is the backend's business.
import { type AuthMode, type DeploymentInput, isSlug, isUuid, type Target } from '../contract/index.js';

export type TargetKind = 'final' | 'checkpoint' | 'base_model';

export const TARGET_KINDS: readonly { readonly value: TargetKind; readonly label: string }[] = [
  { value: 'final', label: 'Final adapter of a job' },
  { value: 'checkpoint', label: 'Checkpoint of a job' },
  { value: 'base_model', label: 'Base model' },
];

export interface EndpointDraft {
  readonly slug: string;
  readonly kind: TargetKind;
  readonly jobId: string;
  readonly step: string;
  readonly authMode: AuthMode;
}

export type DraftField = 'slug' | 'jobId' | 'step' | 'baseModel' | 'authMode';
export type DraftProblems = { readonly [field in DraftField]?: string };

export const emptyDraft: EndpointDraft = {
  slug: '',
  kind: 'final',
  jobId: '',
  step: '',
  authMode: 'fixed_api_key',
};

export const SLUG_RULE =
  '2 to 50 characters: lowercase letters, digits and hyphens, no hyphen at either end.';

export const JOB_ID_RULE =
  'The whole ID, as the list of jobs shows it: 36 characters in groups of 8-4-4-4-12.';

/** What stands in the way of sending the draft; empty when nothing does. */
export function draftProblems(draft: EndpointDraft, baseModel: string | null): DraftProblems {
  const { slug, kind, jobId, step } = trimmed(draft);
  return {
    ...(!isSlug(slug) && { slug: slug === '' ? 'Enter a slug.' : `Not a slug. ${SLUG_RULE}` }),
    ...(kind !== 'base_model' && !isUuid(jobId) && { jobId: jobIdProblem(jobId) }),
    ...(kind === 'checkpoint' && !isStep(step) && { step: 'Enter the step of a checkpoint, such as 40.' }),
    ...(kind === 'base_model' && !baseModel && { baseModel: 'The base model is not known yet.' }),
  };
}

/** The request of a draft without problems. */
export function toDeploymentInput(draft: EndpointDraft, baseModel: string | null): DeploymentInput {
  const { slug, authMode } = trimmed(draft);
  return { slug, target: toTarget(trimmed(draft), baseModel ?? ''), authMode };
}

/** The field that an error of the backend speaks of, by the name it gives; null for none of them. */
export function draftField(param: string | null): DraftField | null {
  const name = param?.split('.').at(-1);
  return name === 'slug' || name === 'jobId' || name === 'step' || name === 'baseModel' || name === 'authMode'
    ? name
    : null;
}

function toTarget({ kind, jobId, step }: EndpointDraft, baseModel: string): Target {
  if (kind === 'base_model') return { kind, baseModel };
  if (kind === 'final') return { kind: 'adapter', adapter: { kind, jobId } };
  return { kind: 'adapter', adapter: { kind, jobId, step: Number(step) } };
}

function trimmed(draft: EndpointDraft): EndpointDraft {
  return { ...draft, slug: draft.slug.trim(), jobId: draft.jobId.trim(), step: draft.step.trim() };
}

function jobIdProblem(text: string): string {
  return text === '' ? 'Enter the ID of a job.' : `Not the ID of a job. ${JOB_ID_RULE}`;
}

function isStep(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}
