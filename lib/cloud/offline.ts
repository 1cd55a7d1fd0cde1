/** For svc's Python code: files come from the cloud alone, and nothing is reported to the makers of the libraries. */
export const OFFLINE = {
  HF_HUB_OFFLINE: '1',
  TRANSFORMERS_OFFLINE: '1',
  HF_HUB_DISABLE_TELEMETRY: '1',
} as const;
