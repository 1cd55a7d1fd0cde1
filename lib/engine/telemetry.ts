// ONNX Runtime's builds for Linux and macOS send telemetry unless this is in the environment when the runtime
// initializes. In its own file, since processes that never load the runtime start others that do.
export const TELEMETRY_OFF = { ORT_DISABLE_TELEMETRY: '1' } as const;
