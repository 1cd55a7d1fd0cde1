// The form that creates an endpoint: its input and its request. Only the backend knows which slugs are
// reserved or taken, and which jobs exist.
import {
  ApiError,
  AUTH_MODES,
  type AuthMode,
  type DeploymentInput,
  isSlug,
  isUuid,
  type JobSummary,
  type Target,
} from '../../contract/index.js';
import { findByPrefix } from '../labels.js';

type TargetKind = 'final' | 'checkpoint' | 'base_model';

export const TARGET_KINDS: readonly { readonly value: TargetKind; readonly label: string }[] = [
  { value: 'final', label: 'Final adapter of a job' },
  { value: 'checkpoint', label: 'Checkpoint of a job' },
  { value: 'base_model', label: 'Base model' },
];

export interface DeploymentDraft {
  readonly slug: string;
  readonly kind: TargetKind;
  readonly jobId: string;
  readonly step: string;
  readonly authMode: AuthMode;
}

type DraftField = 'slug' | 'jobId' | 'step' | 'baseModel' | 'authMode';
export type DraftProblems = { readonly [field in DraftField]?: string };

export const emptyDraft: DeploymentDraft = {
  slug: '',
  kind: 'final',
  jobId: '',
  step: '',
  authMode: 'fixed_api_key',
};

export const SLUG_RULE =
  '2–50 lowercase letters, digits or hyphens, with no hyphen at either end. Names such as www are reserved.';

export const JOB_ID_RULE = 'The job ID from Jobs, or its start.';

interface FormField {
  readonly name: keyof DeploymentDraft;
  readonly label: string;
  /** The field's rule, as a hint. */
  readonly rule?: string;
  /** Undefined for a text field. */
  readonly choices?: readonly string[];
  /** The selected choice in words. */
  readonly chosen?: string;
  /** The draft field whose problems are shown here. */
  readonly about: DraftField;
}

/** The fields of a draft of this kind, from top to bottom. */
export function draftFields({ kind, authMode }: DeploymentDraft, baseModel: string | null): FormField[] {
  const { label: target } = TARGET_KINDS.find(({ value }) => value === kind)!;
  const copying = `${JOB_ID_RULE} Press c there to copy it.`;
  return [
    { name: 'slug', label: 'Slug', rule: SLUG_RULE, about: 'slug' },
    {
      name: 'kind',
      label: 'Target',
      choices: TARGET_KINDS.map(({ value }) => value),
      chosen: kind === 'base_model' ? `${target}: ${baseModel ?? 'not known yet'}` : target,
      about: 'baseModel',
    },
    ...(kind === 'base_model'
      ? []
      : [{ name: 'jobId', label: 'Job ID', rule: copying, about: 'jobId' } as const]),
    ...(kind === 'checkpoint' ? [{ name: 'step', label: 'Step', about: 'step' } as const] : []),
    { name: 'authMode', label: 'Auth mode', choices: AUTH_MODES, chosen: authMode, about: 'authMode' },
  ];
}

/** Problems to fix before the draft can be sent; empty if there are none. */
export function draftProblems(draft: DeploymentDraft, baseModel: string | null): DraftProblems {
  const { slug, kind, jobId, step } = trimmed(draft);
  return {
    ...(!isSlug(slug) && { slug: slug === '' ? 'Enter a slug.' : `Use ${SLUG_RULE}` }),
    ...(kind !== 'base_model' && !isIdStart(jobId) && { jobId: jobIdProblem(jobId) }),
    ...(kind === 'checkpoint' && !isStep(step) && { step: 'Enter a checkpoint step, such as 40.' }),
    ...(kind === 'base_model' && !baseModel && { baseModel: 'The base model is not known yet.' }),
  };
}

/**
 * The request for a valid draft; fetches the jobs if only the start of an ID was entered. Throws an error
 * that names the field.
 */
export async function toDeploymentInput(
  draft: DeploymentDraft,
  baseModel: string | null,
  listJobs: () => Promise<readonly Pick<JobSummary, 'id'>[]>,
): Promise<DeploymentInput> {
  const { slug, authMode, ...rest } = trimmed(draft);
  const isWhole = rest.kind === 'base_model' || isUuid(rest.jobId);
  const found = isWhole ? { job: { id: rest.jobId } } : findByPrefix(rest.jobId, await listJobs());
  if ('problem' in found) throw new ApiError('job_not_found', found.problem, { param: 'jobId' });
  return { slug, target: toTarget({ ...rest, jobId: found.job.id }, baseModel ?? ''), authMode };
}

/** The form field that a backend error names in its `param`; null if it names none. */
export function draftField(param: string | null): DraftField | null {
  const name = param?.split('.').at(-1);
  return name === 'slug' || name === 'jobId' || name === 'step' || name === 'baseModel' || name === 'authMode'
    ? name
    : null;
}

function toTarget(
  { kind, jobId, step }: Pick<DeploymentDraft, 'kind' | 'jobId' | 'step'>,
  baseModel: string,
): Target {
  if (kind === 'base_model') return { kind, baseModel };
  if (kind === 'final') return { kind: 'adapter', adapter: { kind, jobId } };
  return { kind: 'adapter', adapter: { kind, jobId, step: Number(step) } };
}

function trimmed(draft: DeploymentDraft): DeploymentDraft {
  return { ...draft, slug: draft.slug.trim(), jobId: draft.jobId.trim(), step: draft.step.trim() };
}

function jobIdProblem(text: string): string {
  return text === '' ? 'Enter a job ID.' : `Not a valid job ID. ${JOB_ID_RULE}`;
}

/** A UUID or a prefix of one. */
function isIdStart(text: string): boolean {
  return isUuid(text) || /^[\da-f][\da-f-]{0,35}$/i.test(text);
}

function isStep(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}
