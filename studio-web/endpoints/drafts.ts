// What the drafts of the endpoints' dialogs are kept under.
export const ENDPOINT_DRAFT = 'endpoint';

export const keyLabelDraft = (deploymentId: string) => `key-label-${deploymentId}`;
