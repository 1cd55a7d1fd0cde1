// ONNX Runtime's builds for Linux and macOS report to their vendor unless the environment says no when the runtime starts.
// The setting is in this file alone, so that whoever starts a process that may load the runtime can name it.
export const TELEMETRY_OFF = { ORT_DISABLE_TELEMETRY: '1' } as const;
