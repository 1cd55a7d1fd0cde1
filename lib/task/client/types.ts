// What the parts of a task's client share.

export interface TaskMessage {
  role: 'system' | 'user' | 'assistant' | 'developer';
  content: string;
}

/** What a client has to know of a task. */
export interface AskedTask {
  readonly name: string;
  readonly kind: 'labels' | 'fields' | 'text';
  /** The JSON Schema of its answers. */
  readonly output: object;
  readonly labels?: readonly string[] | undefined;
}

export interface TaskConnection {
  /** As OpenAI's clients take it: `https://triage.example.com/v1`. */
  baseURL: string;
  apiKey?: string | undefined;
  /** Default: the task's name. Endpoints serve their own model, whatever it says. */
  model?: string | undefined;
  /** Default: 0, the likeliest answer. */
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  /** How often a request is sent at most. Default: 4. */
  tries?: number | undefined;
  /**
   * Whether answers are constrained to the task's labels or schema. Default: true. Turn it off for a server that cannot do
   * it; an answer that does not fit is an error either way.
   */
  constrained?: boolean | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  fetch?: typeof fetch | undefined;
}

export interface AskOptions {
  signal?: AbortSignal | undefined;
}

/** An answer, and how likely it was. */
export interface LikelyAnswer<Output> {
  output: Output;
  /** Of the whole answer. */
  probability: number;
  /** Of every label, or of the value of each field of the answer. Empty for texts. */
  probabilities: Readonly<Record<string, number>>;
}

export interface TaskClient<Input, Output> {
  (input: Input, options?: AskOptions): Promise<Output>;
  /**
   * The answer with the probabilities of all labels, which add up to 1, or of each field. Labels that begin alike take
   * further requests.
   */
  withProbabilities(input: Input, options?: AskOptions): Promise<LikelyAnswer<Output>>;
}

export type TaskErrorCode = 'input_invalid' | 'answer_invalid' | 'request_failed';

export class TaskError extends Error {
  override readonly name = 'TaskError';
  readonly code: TaskErrorCode;
  /** The answer as it was written. */
  readonly answer: string | undefined;
  /** The status of a refusal. */
  readonly status: number | undefined;

  constructor(
    code: TaskErrorCode,
    message: string,
    { answer, status, cause }: { answer?: string; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.answer = answer;
    this.status = status;
  }
}
