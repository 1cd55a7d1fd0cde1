// ONNX Runtime's builds for Linux and macOS report to their vendor unless this is in the environment when the runtime
// initializes. It has a file of its own because processes that never load the runtime start others that do.
export const TELEMETRY_OFF = { ORT_DISABLE_TELEMETRY: '1' } as const;
