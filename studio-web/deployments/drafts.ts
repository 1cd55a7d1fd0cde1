// Names of the drafts in the endpoint dialogs.
export const ENDPOINT_DRAFT = 'endpoint';

export const keyLabelDraft = (deploymentId: string) => `key-label-${deploymentId}`;
