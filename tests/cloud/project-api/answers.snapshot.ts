// Answers as a cloud gave them, written by official-types.test.ts. Compiles only if the clients' own types accept each of them.
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';

/** Without what the client adds. More fields than the types have are fine: they do not know all of the API's. */
type Wire<T> = T extends readonly (infer Item)[]
  ? readonly Wire<Item>[]
  : T extends object
    ? { readonly [Name in keyof T as Name extends 'output_text' ? never : Name]: Wire<T[Name]> }
    : T;

/** The API sends null before the end, which the types do not know. */
type TextChunk = Omit<OpenAI.Completion, 'usage' | 'choices'> & {
  usage: OpenAI.CompletionUsage | null;
  choices: (Omit<OpenAI.CompletionChoice, 'finish_reason'> & {
    finish_reason: OpenAI.CompletionChoice['finish_reason'] | null;
  })[];
};

/** The first token of a text has no probability, which the types do not know. */
type EchoedText = Omit<OpenAI.Completion, 'choices'> & {
  choices: (Omit<OpenAI.CompletionChoice, 'logprobs'> & {
    logprobs: Omit<OpenAI.CompletionChoice.Logprobs, 'token_logprobs' | 'top_logprobs'> & {
      token_logprobs: (number | null)[];
      top_logprobs: (Record<string, number> | null)[];
    };
  })[];
};

/** The messages that a chat completion answers are those of a user, too. */
type StoredMessage = Pick<OpenAI.ChatCompletionStoreMessage, 'id' | 'content' | 'content_parts'> & { role: string };

/** A purpose that the API takes, and its type does not know. */
type EvalFile = Omit<OpenAI.FileObject, 'purpose'> & { purpose: OpenAI.FilePurpose };

declare function accept<T>(answers: readonly Wire<T>[]): void;

const chat = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion", "choices": [ { "index": 0, "message": { "role": "assistant", "content": "Hi", "refusal": null, "annotations": [] }, "logprobs": { "content": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ], "refusal": null }, "finish_reason": "stop" }, { "index": 1, "message": { "role": "assistant", "content": "Hi", "refusal": null, "annotations": [] }, "logprobs": { "content": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ], "refusal": null }, "finish_reason": "stop" } ], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 4, "total_tokens": 9, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.ChatCompletion>(chat);

const chatCut = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion", "choices": [ { "index": 0, "message": { "role": "assistant", "content": "Hi", "refusal": null, "annotations": [] }, "logprobs": null, "finish_reason": "length" } ], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.ChatCompletion>(chatCut);

const chatWithTools = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion", "choices": [ { "index": 0, "message": { "role": "assistant", "content": null, "refusal": null, "annotations": [], "tool_calls": [ { "id": "call_00000000000000000000000000000000", "type": "function", "function": { "name": "look", "arguments": "{\"at\":\"x\"}" } } ] }, "logprobs": null, "finish_reason": "tool_calls" } ], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.ChatCompletion>(chatWithTools);

const chatWithFunctions = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion", "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } }, "choices": [ { "index": 0, "logprobs": null, "message": { "role": "assistant", "content": null, "refusal": null, "annotations": [], "function_call": { "name": "look", "arguments": "{\"at\":\"x\"}" } }, "finish_reason": "function_call" } ] },
] as const;
accept<OpenAI.ChatCompletion>(chatWithFunctions);

const chatStreamed = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "role": "assistant", "content": "", "refusal": null }, "finish_reason": null, "logprobs": null } ], "service_tier": "default", "usage": null },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "content": "H" }, "finish_reason": null, "logprobs": { "content": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ], "refusal": null } } ], "service_tier": "default", "usage": null },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "content": "i" }, "finish_reason": null, "logprobs": { "content": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ], "refusal": null } } ], "service_tier": "default", "usage": null },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": {}, "finish_reason": "stop", "logprobs": null } ], "service_tier": "default", "usage": null },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.ChatCompletionChunk>(chatStreamed);

const chatWithToolsStreamed = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "role": "assistant", "content": null, "refusal": null, "tool_calls": [ { "index": 0, "id": "call_00000000000000000000000000000000", "type": "function", "function": { "name": "look", "arguments": "{\"at\":" } } ] }, "finish_reason": null, "logprobs": null } ], "service_tier": "default" },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "tool_calls": [ { "index": 0, "function": { "arguments": "\"x\"}" } } ] }, "finish_reason": null, "logprobs": null } ], "service_tier": "default" },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": {}, "finish_reason": "tool_calls", "logprobs": null } ], "service_tier": "default" },
] as const;
accept<OpenAI.ChatCompletionChunk>(chatWithToolsStreamed);

const chatWithFunctionsStreamed = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "service_tier": "default", "choices": [ { "index": 0, "logprobs": null, "delta": { "role": "assistant", "content": null, "refusal": null, "function_call": { "name": "look", "arguments": "{\"at\":" } }, "finish_reason": null } ] },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "service_tier": "default", "choices": [ { "index": 0, "logprobs": null, "delta": { "function_call": { "arguments": "\"x\"}" } }, "finish_reason": null } ] },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "service_tier": "default", "choices": [ { "index": 0, "logprobs": null, "delta": {}, "finish_reason": "function_call" } ] },
] as const;
accept<OpenAI.ChatCompletionChunk>(chatWithFunctionsStreamed);

const chatThinking = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion", "choices": [ { "index": 0, "message": { "role": "assistant", "content": "Hi", "reasoning_content": "Let me see.", "reasoning": "Let me see.", "refusal": null, "annotations": [] }, "logprobs": null, "finish_reason": "stop" } ], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 11, "completion_tokens_details": { "reasoning_tokens": 4, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.ChatCompletion>(chatThinking);

const chatThinkingStreamed = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "role": "assistant", "content": "", "refusal": null }, "finish_reason": null, "logprobs": null } ], "service_tier": "default", "usage": null },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "content": null, "reasoning_content": "Let me ", "reasoning": "Let me " }, "finish_reason": null, "logprobs": null } ], "service_tier": "default", "usage": null },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "content": null, "reasoning_content": "see.", "reasoning": "see." }, "finish_reason": null, "logprobs": null } ], "service_tier": "default", "usage": null },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "content": "Hi" }, "finish_reason": null, "logprobs": null } ], "service_tier": "default", "usage": null },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": {}, "finish_reason": "stop", "logprobs": null } ], "service_tier": "default", "usage": null },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 11, "completion_tokens_details": { "reasoning_tokens": 4, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.ChatCompletionChunk>(chatThinkingStreamed);

const chatThinkingCut = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion", "choices": [ { "index": 0, "message": { "role": "assistant", "content": "", "reasoning_content": "Let me see.", "reasoning": "Let me see.", "refusal": null, "annotations": [] }, "logprobs": null, "finish_reason": "length" } ], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 11, "completion_tokens_details": { "reasoning_tokens": 4, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.ChatCompletion>(chatThinkingCut);

const chatFailing = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "role": "assistant", "content": "", "refusal": null }, "finish_reason": null, "logprobs": null } ], "service_tier": "default" },
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion.chunk", "choices": [ { "index": 0, "delta": { "content": "H" }, "finish_reason": null, "logprobs": { "content": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ], "refusal": null } } ], "service_tier": "default" },
  { "error": { "message": "Something went wrong on our side. Look up the request ID in the log.", "type": "server_error", "code": "internal_error", "param": null } },
] as const;
accept<OpenAI.ChatCompletionChunk | { error: OpenAI.ErrorObject }>(chatFailing);

const completion = [
  { "id": "cmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "text_completion", "choices": [ { "index": 0, "text": "Hi", "logprobs": { "tokens": [ "H", "H" ], "token_logprobs": [ -0.5, -0.5 ], "top_logprobs": [ { "H": -0.5 }, { "H": -0.5 } ], "text_offset": [ 0, 1 ] }, "finish_reason": "stop" } ], "usage": { "prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.Completion>(completion);

const completionStreamed = [
  { "id": "cmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "text_completion", "choices": [ { "index": 0, "text": "H", "logprobs": { "tokens": [ "H" ], "token_logprobs": [ -0.5 ], "top_logprobs": [ { "H": -0.5 } ], "text_offset": [ 0 ] }, "finish_reason": null } ], "usage": null },
  { "id": "cmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "text_completion", "choices": [ { "index": 0, "text": "i", "logprobs": { "tokens": [ "H" ], "token_logprobs": [ -0.5 ], "top_logprobs": [ { "H": -0.5 } ], "text_offset": [ 1 ] }, "finish_reason": null } ], "usage": null },
  { "id": "cmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "text_completion", "choices": [ { "index": 0, "text": "", "logprobs": { "tokens": [], "token_logprobs": [], "top_logprobs": [], "text_offset": [] }, "finish_reason": "stop" } ], "usage": null },
  { "id": "cmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "text_completion", "choices": [], "usage": { "prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<TextChunk>(completionStreamed);

const completionEchoed = [
  { "id": "cmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "text_completion", "choices": [ { "index": 0, "text": "hiHi", "logprobs": null, "finish_reason": "stop" } ], "usage": { "prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.Completion>(completionEchoed);

const completionsEchoed = [
  { "id": "cmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "text_completion", "choices": [ { "index": 0, "text": "hiHi", "logprobs": { "tokens": [ "H", "H", "H" ], "token_logprobs": [ null, -0.5, -0.5 ], "top_logprobs": [ null, { "H": -0.5 }, { "H": -0.5 } ], "text_offset": [ 0, 1, 2 ] }, "finish_reason": "stop" }, { "index": 1, "text": "hiHi", "logprobs": { "tokens": [ "H", "H", "H" ], "token_logprobs": [ null, -0.5, -0.5 ], "top_logprobs": [ null, { "H": -0.5 }, { "H": -0.5 } ], "text_offset": [ 0, 1, 2 ] }, "finish_reason": "stop" } ], "usage": { "prompt_tokens": 5, "completion_tokens": 4, "total_tokens": 9, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<EchoedText>(completionsEchoed);

const completionsOfPrompts = [
  { "id": "cmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "text_completion", "choices": [ { "index": 0, "text": "Hi", "logprobs": null, "finish_reason": "stop" }, { "index": 1, "text": "Hi", "logprobs": null, "finish_reason": "stop" }, { "index": 2, "text": "Hi", "logprobs": null, "finish_reason": "stop" }, { "index": 3, "text": "Hi", "logprobs": null, "finish_reason": "stop" } ], "usage": { "prompt_tokens": 10, "completion_tokens": 8, "total_tokens": 18, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.Completion>(completionsOfPrompts);

const embeddings = [
  { "object": "list", "data": [ { "object": "embedding", "index": 0, "embedding": [ 0.6000000238418579, 0.800000011920929 ] } ], "model": "test/model", "usage": { "prompt_tokens": 1, "total_tokens": 1 } },
] as const;
accept<OpenAI.CreateEmbeddingResponse>(embeddings);

const models = [
  { "id": "test/model", "object": "model", "created": 0, "owned_by": "svc" },
  { "id": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000", "object": "model", "created": 1767225600, "owned_by": "anon-000000" },
  { "id": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000:ckpt-step-1", "object": "model", "created": 1767225600, "owned_by": "anon-000000" },
] as const;
accept<OpenAI.Model>(models);

const model = [
  { "id": "test/model", "object": "model", "created": 0, "owned_by": "svc" },
] as const;
accept<OpenAI.Model>(model);

const message = [
  { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "model": "test/model", "content": [ { "type": "text", "text": "Hi", "citations": null } ], "diagnostics": null, "stop_reason": "end_turn", "stop_sequence": null, "stop_details": null, "container": null, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 2, "output_tokens_details": { "thinking_tokens": 0 }, "server_tool_use": null, "cache_creation": null, "inference_geo": null, "service_tier": "standard", "speed": null } },
] as const;
accept<Anthropic.Message>(message);

const messageCut = [
  { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "model": "test/model", "content": [ { "type": "text", "text": "Hi", "citations": null } ], "diagnostics": null, "stop_reason": "max_tokens", "stop_sequence": null, "stop_details": null, "container": null, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 2, "output_tokens_details": { "thinking_tokens": 0 }, "server_tool_use": null, "cache_creation": null, "inference_geo": null, "service_tier": "standard", "speed": null } },
] as const;
accept<Anthropic.Message>(messageCut);

const messageStopped = [
  { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "model": "test/model", "content": [ { "type": "text", "text": "Hi", "citations": null } ], "diagnostics": null, "stop_reason": "stop_sequence", "stop_sequence": "END", "stop_details": null, "container": null, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 2, "output_tokens_details": { "thinking_tokens": 0 }, "server_tool_use": null, "cache_creation": null, "inference_geo": null, "service_tier": "standard", "speed": null } },
] as const;
accept<Anthropic.Message>(messageStopped);

const messageWithTools = [
  { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "model": "test/model", "content": [ { "type": "tool_use", "id": "toolu_00000000000000000000000000000000", "name": "look", "input": { "at": "x" }, "caller": { "type": "direct" } } ], "diagnostics": null, "stop_reason": "tool_use", "stop_sequence": null, "stop_details": null, "container": null, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 3, "output_tokens_details": { "thinking_tokens": 0 }, "server_tool_use": null, "cache_creation": null, "inference_geo": null, "service_tier": "standard", "speed": null } },
] as const;
accept<Anthropic.Message>(messageWithTools);

const messageStreamed = [
  { "type": "message_start", "message": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "model": "test/model", "content": [], "diagnostics": null, "stop_reason": null, "stop_sequence": null, "stop_details": null, "container": null, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 0, "output_tokens_details": { "thinking_tokens": 0 }, "server_tool_use": null, "cache_creation": null, "inference_geo": null, "service_tier": "standard", "speed": null } } },
  { "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "", "citations": null } },
  { "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "H" } },
  { "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "i" } },
  { "type": "content_block_stop", "index": 0 },
  { "type": "message_delta", "delta": { "stop_reason": "end_turn", "stop_sequence": null, "stop_details": null, "container": null }, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 2, "output_tokens_details": { "thinking_tokens": 0 }, "server_tool_use": null } },
  { "type": "message_stop" },
] as const;
accept<Anthropic.RawMessageStreamEvent>(messageStreamed);

const messageWithToolsStreamed = [
  { "type": "message_start", "message": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "model": "test/model", "content": [], "diagnostics": null, "stop_reason": null, "stop_sequence": null, "stop_details": null, "container": null, "usage": { "input_tokens": 0, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 0, "output_tokens_details": { "thinking_tokens": 0 }, "server_tool_use": null, "cache_creation": null, "inference_geo": null, "service_tier": "standard", "speed": null } } },
  { "type": "content_block_start", "index": 0, "content_block": { "type": "tool_use", "id": "toolu_00000000000000000000000000000000", "name": "look", "input": {}, "caller": { "type": "direct" } } },
  { "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": "{\"at\":" } },
  { "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": "\"x\"}" } },
  { "type": "content_block_stop", "index": 0 },
  { "type": "message_delta", "delta": { "stop_reason": "tool_use", "stop_sequence": null, "stop_details": null, "container": null }, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 3, "output_tokens_details": { "thinking_tokens": 0 }, "server_tool_use": null } },
  { "type": "message_stop" },
] as const;
accept<Anthropic.RawMessageStreamEvent>(messageWithToolsStreamed);

const messageThinking = [
  { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "model": "test/model", "content": [ { "type": "thinking", "thinking": "Let me see.", "signature": "" }, { "type": "text", "text": "Hi", "citations": null } ], "diagnostics": null, "stop_reason": "end_turn", "stop_sequence": null, "stop_details": null, "container": null, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 6, "output_tokens_details": { "thinking_tokens": 4 }, "server_tool_use": null, "cache_creation": null, "inference_geo": null, "service_tier": "standard", "speed": null } },
] as const;
accept<Anthropic.Message>(messageThinking);

const messageThinkingCut = [
  { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "model": "test/model", "content": [ { "type": "thinking", "thinking": "Let me see.", "signature": "" } ], "diagnostics": null, "stop_reason": "max_tokens", "stop_sequence": null, "stop_details": null, "container": null, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 6, "output_tokens_details": { "thinking_tokens": 4 }, "server_tool_use": null, "cache_creation": null, "inference_geo": null, "service_tier": "standard", "speed": null } },
] as const;
accept<Anthropic.Message>(messageThinkingCut);

const messageThinkingStreamed = [
  { "type": "message_start", "message": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "model": "test/model", "content": [], "diagnostics": null, "stop_reason": null, "stop_sequence": null, "stop_details": null, "container": null, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 0, "output_tokens_details": { "thinking_tokens": 0 }, "server_tool_use": null, "cache_creation": null, "inference_geo": null, "service_tier": "standard", "speed": null } } },
  { "type": "content_block_start", "index": 0, "content_block": { "type": "thinking", "thinking": "", "signature": "" } },
  { "type": "content_block_delta", "index": 0, "delta": { "type": "thinking_delta", "thinking": "Let me " } },
  { "type": "content_block_delta", "index": 0, "delta": { "type": "thinking_delta", "thinking": "see." } },
  { "type": "content_block_stop", "index": 0 },
  { "type": "content_block_start", "index": 1, "content_block": { "type": "text", "text": "", "citations": null } },
  { "type": "content_block_delta", "index": 1, "delta": { "type": "text_delta", "text": "Hi" } },
  { "type": "content_block_stop", "index": 1 },
  { "type": "message_delta", "delta": { "stop_reason": "end_turn", "stop_sequence": null, "stop_details": null, "container": null }, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 6, "output_tokens_details": { "thinking_tokens": 4 }, "server_tool_use": null } },
  { "type": "message_stop" },
] as const;
accept<Anthropic.RawMessageStreamEvent>(messageThinkingStreamed);

const messageFailing = [
  { "type": "message_start", "message": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "model": "test/model", "content": [], "diagnostics": null, "stop_reason": null, "stop_sequence": null, "stop_details": null, "container": null, "usage": { "input_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 0, "output_tokens_details": { "thinking_tokens": 0 }, "server_tool_use": null, "cache_creation": null, "inference_geo": null, "service_tier": "standard", "speed": null } } },
  { "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "", "citations": null } },
  { "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "H" } },
  { "type": "error", "error": { "type": "api_error", "message": "Something went wrong on our side." }, "request_id": "00000000-0000-4000-8000-000000000000" },
] as const;
accept<Anthropic.RawMessageStreamEvent | Anthropic.ErrorResponse>(messageFailing);

const messageTokens = [
  { "input_tokens": 3 },
] as const;
accept<Anthropic.MessageTokensCount>(messageTokens);

const modelsOfAnthropic = [
  { "type": "model", "id": "test/model", "display_name": "test/model", "created_at": "1970-01-01T00:00:00.000Z", "lifecycle": "active", "line": null, "capabilities": null, "max_input_tokens": null, "max_tokens": null, "deprecated_at": null, "retires_at": null },
  { "type": "model", "id": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000", "display_name": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000", "created_at": "2026-01-01T00:00:00.000Z", "lifecycle": "active", "line": null, "capabilities": null, "max_input_tokens": null, "max_tokens": null, "deprecated_at": null, "retires_at": null },
  { "type": "model", "id": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000:ckpt-step-1", "display_name": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000:ckpt-step-1", "created_at": "2026-01-01T00:00:00.000Z", "lifecycle": "active", "line": null, "capabilities": null, "max_input_tokens": null, "max_tokens": null, "deprecated_at": null, "retires_at": null },
] as const;
accept<Anthropic.ModelInfo>(modelsOfAnthropic);

const modelOfAnthropic = [
  { "type": "model", "id": "test/model", "display_name": "test/model", "created_at": "1970-01-01T00:00:00.000Z", "lifecycle": "active", "line": null, "capabilities": null, "max_input_tokens": null, "max_tokens": null, "deprecated_at": null, "retires_at": null },
] as const;
accept<Anthropic.ModelInfo>(modelOfAnthropic);

const response = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 7 }, "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 1, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(response);

const responseCut = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "incomplete", "error": null, "incomplete_details": { "reason": "max_output_tokens" }, "model": "test/model", "output": [ { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "incomplete", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 7 }, "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(responseCut);

const responseWithTools = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "fc_00000000000000000000000000000000", "type": "function_call", "call_id": "call_00000000000000000000000000000000", "name": "look", "arguments": "{\"at\":\"x\"}", "status": "completed" } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 3, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 8 }, "background": false, "instructions": "Be brief.", "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": { "a": "b" }, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": "low", "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "json_schema", "name": "answer", "schema": { "type": "object", "properties": {}, "additionalProperties": false }, "strict": null }, "verbosity": "low" }, "tool_choice": { "type": "function", "name": "look" }, "tools": [ { "type": "function", "name": "look", "description": null, "parameters": { "type": "object", "properties": { "at": { "type": "string" } }, "required": [ "at" ] }, "strict": true } ], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(responseWithTools);

const responseStreamed = [
  { "type": "response.created", "sequence_number": 0, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 1, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.in_progress", "sequence_number": 1, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 1, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.output_item.added", "sequence_number": 2, "output_index": 0, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "in_progress", "content": [] } },
  { "type": "response.content_part.added", "sequence_number": 3, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "", "annotations": [], "logprobs": [] } },
  { "type": "response.output_text.delta", "sequence_number": 4, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "H", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.output_text.delta", "sequence_number": 5, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "i", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.output_text.done", "sequence_number": 6, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "text": "Hi", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.content_part.done", "sequence_number": 7, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } },
  { "type": "response.output_item.done", "sequence_number": 8, "output_index": 0, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } },
  { "type": "response.completed", "sequence_number": 9, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 7 }, "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 1, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
] as const;
accept<OpenAI.Responses.ResponseStreamEvent>(responseStreamed);

const responseWithToolsStreamed = [
  { "type": "response.created", "sequence_number": 0, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": "Be brief.", "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": { "a": "b" }, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": "low", "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "json_schema", "name": "answer", "schema": { "type": "object", "properties": {}, "additionalProperties": false }, "strict": null }, "verbosity": "low" }, "tool_choice": { "type": "function", "name": "look" }, "tools": [ { "type": "function", "name": "look", "description": null, "parameters": { "type": "object", "properties": { "at": { "type": "string" } }, "required": [ "at" ] }, "strict": true } ], "truncation": "disabled" } },
  { "type": "response.in_progress", "sequence_number": 1, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": "Be brief.", "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": { "a": "b" }, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": "low", "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "json_schema", "name": "answer", "schema": { "type": "object", "properties": {}, "additionalProperties": false }, "strict": null }, "verbosity": "low" }, "tool_choice": { "type": "function", "name": "look" }, "tools": [ { "type": "function", "name": "look", "description": null, "parameters": { "type": "object", "properties": { "at": { "type": "string" } }, "required": [ "at" ] }, "strict": true } ], "truncation": "disabled" } },
  { "type": "response.output_item.added", "sequence_number": 2, "output_index": 0, "item": { "id": "fc_00000000000000000000000000000000", "type": "function_call", "call_id": "call_00000000000000000000000000000000", "name": "look", "arguments": "", "status": "in_progress" } },
  { "type": "response.function_call_arguments.delta", "sequence_number": 3, "item_id": "fc_00000000000000000000000000000000", "output_index": 0, "delta": "{\"at\":" },
  { "type": "response.function_call_arguments.delta", "sequence_number": 4, "item_id": "fc_00000000000000000000000000000000", "output_index": 0, "delta": "\"x\"}" },
  { "type": "response.function_call_arguments.done", "sequence_number": 5, "item_id": "fc_00000000000000000000000000000000", "output_index": 0, "name": "look", "arguments": "{\"at\":\"x\"}" },
  { "type": "response.output_item.done", "sequence_number": 6, "output_index": 0, "item": { "id": "fc_00000000000000000000000000000000", "type": "function_call", "call_id": "call_00000000000000000000000000000000", "name": "look", "arguments": "{\"at\":\"x\"}", "status": "completed" } },
  { "type": "response.completed", "sequence_number": 7, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "fc_00000000000000000000000000000000", "type": "function_call", "call_id": "call_00000000000000000000000000000000", "name": "look", "arguments": "{\"at\":\"x\"}", "status": "completed" } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 3, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 8 }, "background": false, "instructions": "Be brief.", "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": { "a": "b" }, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": "low", "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "json_schema", "name": "answer", "schema": { "type": "object", "properties": {}, "additionalProperties": false }, "strict": null }, "verbosity": "low" }, "tool_choice": { "type": "function", "name": "look" }, "tools": [ { "type": "function", "name": "look", "description": null, "parameters": { "type": "object", "properties": { "at": { "type": "string" } }, "required": [ "at" ] }, "strict": true } ], "truncation": "disabled" } },
] as const;
accept<OpenAI.Responses.ResponseStreamEvent>(responseWithToolsStreamed);

const responseCutStreamed = [
  { "type": "response.created", "sequence_number": 0, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.in_progress", "sequence_number": 1, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.output_item.added", "sequence_number": 2, "output_index": 0, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "in_progress", "content": [] } },
  { "type": "response.content_part.added", "sequence_number": 3, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "", "annotations": [], "logprobs": [] } },
  { "type": "response.output_text.delta", "sequence_number": 4, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "H", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.output_text.delta", "sequence_number": 5, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "i", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.output_text.done", "sequence_number": 6, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "text": "Hi", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.content_part.done", "sequence_number": 7, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } },
  { "type": "response.output_item.done", "sequence_number": 8, "output_index": 0, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "incomplete", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } },
  { "type": "response.incomplete", "sequence_number": 9, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "incomplete", "error": null, "incomplete_details": { "reason": "max_output_tokens" }, "model": "test/model", "output": [ { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "incomplete", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 7 }, "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
] as const;
accept<OpenAI.Responses.ResponseStreamEvent>(responseCutStreamed);

const responseThinking = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "rs_00000000000000000000000000000000", "type": "reasoning", "status": "completed", "summary": [], "content": [ { "type": "reasoning_text", "text": "Let me see." } ] }, { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [] } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 6, "output_tokens_details": { "reasoning_tokens": 4 }, "total_tokens": 11 }, "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(responseThinking);

const responseThinkingCut = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "incomplete", "error": null, "incomplete_details": { "reason": "max_output_tokens" }, "model": "test/model", "output": [ { "id": "rs_00000000000000000000000000000000", "type": "reasoning", "status": "incomplete", "summary": [], "content": [ { "type": "reasoning_text", "text": "Let me see." } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 6, "output_tokens_details": { "reasoning_tokens": 4 }, "total_tokens": 11 }, "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(responseThinkingCut);

const responseThinkingStreamed = [
  { "type": "response.created", "sequence_number": 0, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.in_progress", "sequence_number": 1, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.output_item.added", "sequence_number": 2, "output_index": 0, "item": { "id": "rs_00000000000000000000000000000000", "type": "reasoning", "status": "in_progress", "summary": [], "content": [] } },
  { "type": "response.content_part.added", "sequence_number": 3, "item_id": "rs_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "reasoning_text", "text": "" } },
  { "type": "response.reasoning_text.delta", "sequence_number": 4, "item_id": "rs_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "Let me " },
  { "type": "response.reasoning_text.delta", "sequence_number": 5, "item_id": "rs_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "see." },
  { "type": "response.reasoning_text.done", "sequence_number": 6, "item_id": "rs_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "text": "Let me see." },
  { "type": "response.content_part.done", "sequence_number": 7, "item_id": "rs_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "reasoning_text", "text": "Let me see." } },
  { "type": "response.output_item.done", "sequence_number": 8, "output_index": 0, "item": { "id": "rs_00000000000000000000000000000000", "type": "reasoning", "status": "completed", "summary": [], "content": [ { "type": "reasoning_text", "text": "Let me see." } ] } },
  { "type": "response.output_item.added", "sequence_number": 9, "output_index": 1, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "in_progress", "content": [] } },
  { "type": "response.content_part.added", "sequence_number": 10, "item_id": "msg_00000000000000000000000000000000", "output_index": 1, "content_index": 0, "part": { "type": "output_text", "text": "", "annotations": [], "logprobs": [] } },
  { "type": "response.output_text.delta", "sequence_number": 11, "item_id": "msg_00000000000000000000000000000000", "output_index": 1, "content_index": 0, "delta": "Hi", "logprobs": [] },
  { "type": "response.output_text.done", "sequence_number": 12, "item_id": "msg_00000000000000000000000000000000", "output_index": 1, "content_index": 0, "text": "Hi", "logprobs": [] },
  { "type": "response.content_part.done", "sequence_number": 13, "item_id": "msg_00000000000000000000000000000000", "output_index": 1, "content_index": 0, "part": { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [] } },
  { "type": "response.output_item.done", "sequence_number": 14, "output_index": 1, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [] } ] } },
  { "type": "response.completed", "sequence_number": 15, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "rs_00000000000000000000000000000000", "type": "reasoning", "status": "completed", "summary": [], "content": [ { "type": "reasoning_text", "text": "Let me see." } ] }, { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [] } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 6, "output_tokens_details": { "reasoning_tokens": 4 }, "total_tokens": 11 }, "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
] as const;
accept<OpenAI.Responses.ResponseStreamEvent>(responseThinkingStreamed);

const responseFailing = [
  { "type": "response.created", "sequence_number": 0, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.in_progress", "sequence_number": 1, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.output_item.added", "sequence_number": 2, "output_index": 0, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "in_progress", "content": [] } },
  { "type": "response.content_part.added", "sequence_number": 3, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "", "annotations": [], "logprobs": [] } },
  { "type": "response.output_text.delta", "sequence_number": 4, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "H", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.failed", "sequence_number": 5, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "failed", "error": { "code": "server_error", "message": "Something went wrong on our side." }, "incomplete_details": null, "model": "test/model", "output": [], "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": false, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
] as const;
accept<OpenAI.Responses.ResponseStreamEvent>(responseFailing);

const responseTokens = [
  { "object": "response.input_tokens", "input_tokens": 3 },
] as const;
accept<OpenAI.Responses.InputTokenCountResponse>(responseTokens);

const storedResponse = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "fc_00000000000000000000000000000000", "type": "function_call", "call_id": "call_00000000000000000000000000000000", "name": "look", "arguments": "{\"at\":\"x\"}", "status": "completed" } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 3, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 8 }, "background": false, "instructions": "Be brief.", "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": { "a": "b" }, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": "low", "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "json_schema", "name": "answer", "schema": { "type": "object", "properties": {}, "additionalProperties": false }, "strict": null }, "verbosity": "low" }, "tool_choice": { "type": "function", "name": "look" }, "tools": [ { "type": "function", "name": "look", "description": null, "parameters": { "type": "object", "properties": { "at": { "type": "string" } }, "required": [ "at" ] }, "strict": true } ], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(storedResponse);

const inputItems = [
  { "id": "msg_00000000000000000000000000000000", "type": "message", "status": "completed", "role": "user", "content": [ { "type": "input_text", "text": "hi" } ] },
] as const;
accept<OpenAI.Responses.ResponseItem>(inputItems);

const continued = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 7 }, "background": false, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": "resp_00000000000000000000000000000000", "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(continued);

const continuedItems = [
  { "id": "msg_00000000000000000000000000000000", "type": "message", "status": "completed", "role": "user", "content": [ { "type": "input_text", "text": "hi" } ] },
  { "id": "fc_00000000000000000000000000000000", "type": "function_call", "call_id": "call_00000000000000000000000000000000", "name": "look", "arguments": "{\"at\":\"x\"}", "status": "completed" },
  { "id": "msg_00000000000000000000000000000000", "type": "message", "status": "completed", "role": "user", "content": [ { "type": "input_text", "text": "hi" } ] },
] as const;
accept<OpenAI.Responses.ResponseItem>(continuedItems);

const queued = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "queued", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(queued);

const inProgress = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(inProgress);

const cancelled = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "cancelled", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(cancelled);

const cancelledAndStored = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "cancelled", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(cancelledAndStored);

const inBackground = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "queued", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(inBackground);

const completed = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 7 }, "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(completed);

const failingInBackground = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "queued", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(failingInBackground);

const failed = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "failed", "error": { "code": "server_error", "message": "Something went wrong on our side." }, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(failed);

const inBackgroundStreamed = [
  { "type": "response.created", "sequence_number": 0, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "queued", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.queued", "sequence_number": 1, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "queued", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.in_progress", "sequence_number": 2, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.output_item.added", "sequence_number": 3, "output_index": 0, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "in_progress", "content": [] } },
  { "type": "response.content_part.added", "sequence_number": 4, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "", "annotations": [], "logprobs": [] } },
  { "type": "response.output_text.delta", "sequence_number": 5, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "H", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.output_text.delta", "sequence_number": 6, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "i", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.output_text.done", "sequence_number": 7, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "text": "Hi", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.content_part.done", "sequence_number": 8, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } },
  { "type": "response.output_item.done", "sequence_number": 9, "output_index": 0, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } },
  { "type": "response.completed", "sequence_number": 10, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 7 }, "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
] as const;
accept<OpenAI.Responses.ResponseStreamEvent>(inBackgroundStreamed);

const resumed = [
  { "type": "response.output_item.added", "sequence_number": 3, "output_index": 0, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "in_progress", "content": [] } },
  { "type": "response.content_part.added", "sequence_number": 4, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "", "annotations": [], "logprobs": [] } },
  { "type": "response.output_text.delta", "sequence_number": 5, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "H", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.output_text.delta", "sequence_number": 6, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "i", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.output_text.done", "sequence_number": 7, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "text": "Hi", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.content_part.done", "sequence_number": 8, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } },
  { "type": "response.output_item.done", "sequence_number": 9, "output_index": 0, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } },
  { "type": "response.completed", "sequence_number": 10, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "completed", "content": [ { "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] } ] } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 7 }, "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
] as const;
accept<OpenAI.Responses.ResponseStreamEvent>(resumed);

const failingStreamed = [
  { "type": "response.created", "sequence_number": 0, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "queued", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.queued", "sequence_number": 1, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "queued", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.in_progress", "sequence_number": 2, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "in_progress", "error": null, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
  { "type": "response.output_item.added", "sequence_number": 3, "output_index": 0, "item": { "id": "msg_00000000000000000000000000000000", "type": "message", "role": "assistant", "status": "in_progress", "content": [] } },
  { "type": "response.content_part.added", "sequence_number": 4, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "part": { "type": "output_text", "text": "", "annotations": [], "logprobs": [] } },
  { "type": "response.output_text.delta", "sequence_number": 5, "item_id": "msg_00000000000000000000000000000000", "output_index": 0, "content_index": 0, "delta": "H", "logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ] },
  { "type": "response.failed", "sequence_number": 6, "response": { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": null, "status": "failed", "error": { "code": "server_error", "message": "Something went wrong on our side." }, "incomplete_details": null, "model": "test/model", "output": [], "background": true, "instructions": null, "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": {}, "parallel_tool_calls": true, "previous_response_id": null, "conversation": null, "max_tool_calls": null, "reasoning": { "effort": null, "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "text" }, "verbosity": "medium" }, "tool_choice": "auto", "tools": [], "truncation": "disabled" } },
] as const;
accept<OpenAI.Responses.ResponseStreamEvent>(failingStreamed);

const conversation = [
  { "id": "conv_00000000000000000000000000000000", "object": "conversation", "created_at": 1767225600, "metadata": { "a": "b" } },
] as const;
accept<OpenAI.Conversations.Conversation>(conversation);

const storedConversation = [
  { "id": "conv_00000000000000000000000000000000", "object": "conversation", "created_at": 1767225600, "metadata": { "a": "b" } },
] as const;
accept<OpenAI.Conversations.Conversation>(storedConversation);

const changedConversation = [
  { "id": "conv_00000000000000000000000000000000", "object": "conversation", "created_at": 1767225600, "metadata": { "a": "c" } },
] as const;
accept<OpenAI.Conversations.Conversation>(changedConversation);

const responseInConversation = [
  { "id": "resp_00000000000000000000000000000000", "object": "response", "created_at": 1767225600, "completed_at": 1767225600, "status": "completed", "error": null, "incomplete_details": null, "model": "test/model", "output": [ { "id": "fc_00000000000000000000000000000000", "type": "function_call", "call_id": "call_00000000000000000000000000000000", "name": "look", "arguments": "{\"at\":\"x\"}", "status": "completed" } ], "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 }, "output_tokens": 3, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 8 }, "background": false, "instructions": "Be brief.", "max_output_tokens": null, "temperature": 1, "top_p": 1, "top_logprobs": 0, "metadata": { "a": "b" }, "parallel_tool_calls": true, "previous_response_id": null, "conversation": { "id": "conv_00000000000000000000000000000000" }, "max_tool_calls": null, "reasoning": { "effort": "low", "summary": null }, "service_tier": "default", "store": true, "text": { "format": { "type": "json_schema", "name": "answer", "schema": { "type": "object", "properties": {}, "additionalProperties": false }, "strict": null }, "verbosity": "low" }, "tool_choice": { "type": "function", "name": "look" }, "tools": [ { "type": "function", "name": "look", "description": null, "parameters": { "type": "object", "properties": { "at": { "type": "string" } }, "required": [ "at" ] }, "strict": true } ], "truncation": "disabled" },
] as const;
accept<OpenAI.Responses.Response>(responseInConversation);

const newItems = [
  { "object": "list", "data": [ { "id": "msg_00000000000000000000000000000000", "type": "message", "status": "completed", "role": "user", "content": [ { "type": "input_text", "text": "hi" } ] } ], "first_id": "msg_00000000000000000000000000000000", "last_id": "msg_00000000000000000000000000000000", "has_more": false },
] as const;
accept<OpenAI.Conversations.ConversationItemList>(newItems);

const conversationItems = [
  { "id": "msg_00000000000000000000000000000000", "type": "message", "status": "completed", "role": "user", "content": [ { "type": "input_text", "text": "hi" } ] },
  { "id": "fc_00000000000000000000000000000000", "type": "function_call", "call_id": "call_00000000000000000000000000000000", "name": "look", "arguments": "{\"at\":\"x\"}", "status": "completed" },
  { "id": "msg_00000000000000000000000000000000", "type": "message", "status": "completed", "role": "user", "content": [ { "type": "input_text", "text": "hi" } ] },
  { "id": "msg_00000000000000000000000000000000", "type": "message", "status": "completed", "role": "user", "content": [ { "type": "input_text", "text": "hi" } ] },
] as const;
accept<OpenAI.Conversations.ConversationItem>(conversationItems);

const itemPage = [
  { "object": "list", "data": [ { "id": "msg_00000000000000000000000000000000", "type": "message", "status": "completed", "role": "user", "content": [ { "type": "input_text", "text": "hi" } ] } ], "first_id": "msg_00000000000000000000000000000000", "last_id": "msg_00000000000000000000000000000000", "has_more": true },
] as const;
accept<OpenAI.Conversations.ConversationItemList>(itemPage);

const conversationItem = [
  { "id": "msg_00000000000000000000000000000000", "type": "message", "status": "completed", "role": "user", "content": [ { "type": "input_text", "text": "hi" } ] },
] as const;
accept<OpenAI.Conversations.ConversationItem>(conversationItem);

const withoutItem = [
  { "id": "conv_00000000000000000000000000000000", "object": "conversation", "created_at": 1767225600, "metadata": { "a": "c" } },
] as const;
accept<OpenAI.Conversations.Conversation>(withoutItem);

const deletedConversation = [
  { "id": "conv_00000000000000000000000000000000", "object": "conversation.deleted", "deleted": true },
] as const;
accept<OpenAI.Conversations.ConversationDeletedResource>(deletedConversation);

const chatToStore = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion", "choices": [ { "index": 0, "message": { "role": "assistant", "content": null, "refusal": null, "annotations": [], "tool_calls": [ { "id": "call_00000000000000000000000000000000", "type": "function", "function": { "name": "look", "arguments": "{\"at\":\"x\"}" } } ] }, "logprobs": null, "finish_reason": "tool_calls" } ], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.ChatCompletion>(chatToStore);

const storedChats = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion", "choices": [ { "index": 0, "message": { "role": "assistant", "content": null, "refusal": null, "annotations": [], "tool_calls": [ { "id": "call_00000000000000000000000000000000", "type": "function", "function": { "name": "look", "arguments": "{\"at\":\"x\"}" } } ] }, "logprobs": null, "finish_reason": "tool_calls" } ], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } }, "metadata": {} },
] as const;
accept<OpenAI.ChatCompletion>(storedChats);

const storedChat = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion", "choices": [ { "index": 0, "message": { "role": "assistant", "content": null, "refusal": null, "annotations": [], "tool_calls": [ { "id": "call_00000000000000000000000000000000", "type": "function", "function": { "name": "look", "arguments": "{\"at\":\"x\"}" } } ] }, "logprobs": null, "finish_reason": "tool_calls" } ], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } }, "metadata": {} },
] as const;
accept<OpenAI.ChatCompletion>(storedChat);

const storedMessages = [
  { "id": "chatcmpl-00000000000000000000000000000000-0", "role": "user", "content": "hi", "content_parts": null },
] as const;
accept<StoredMessage>(storedMessages);

const changedChat = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "test/model", "system_fingerprint": "fp_6c3c2ebf3845f5e0", "object": "chat.completion", "choices": [ { "index": 0, "message": { "role": "assistant", "content": null, "refusal": null, "annotations": [], "tool_calls": [ { "id": "call_00000000000000000000000000000000", "type": "function", "function": { "name": "look", "arguments": "{\"at\":\"x\"}" } } ] }, "logprobs": null, "finish_reason": "tool_calls" } ], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } }, "metadata": { "a": "b" } },
] as const;
accept<OpenAI.ChatCompletion>(changedChat);

const deletedChat = [
  { "id": "chatcmpl-00000000000000000000000000000000", "object": "chat.completion.deleted", "deleted": true },
] as const;
accept<OpenAI.ChatCompletionDeleted>(deletedChat);

const userFile = [
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "user_data", "status": "processed" },
] as const;
accept<OpenAI.FileObject>(userFile);

const requests = [
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "processed", "expires_at": 1767225600 },
] as const;
accept<OpenAI.FileObject>(requests);

const slowRequests = [
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "processed", "expires_at": 1767225600 },
] as const;
accept<OpenAI.FileObject>(slowRequests);

const lateRequests = [
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "processed", "expires_at": 1767225600 },
] as const;
accept<OpenAI.FileObject>(lateRequests);

const brokenRequests = [
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "processed", "expires_at": 1767225600 },
] as const;
accept<OpenAI.FileObject>(brokenRequests);

const files = [
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "processed", "expires_at": 1767225600 },
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "processed", "expires_at": 1767225600 },
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "processed", "expires_at": 1767225600 },
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "processed", "expires_at": 1767225600 },
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "user_data", "status": "processed" },
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "train.jsonl", "purpose": "fine-tune", "status": "processed" },
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "train.jsonl", "purpose": "fine-tune", "status": "processed" },
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "train.jsonl", "purpose": "fine-tune", "status": "processed" },
] as const;
accept<OpenAI.FileObject>(files);

const file = [
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "train.jsonl", "purpose": "fine-tune", "status": "processed" },
] as const;
accept<OpenAI.FileObject>(file);

const resultFile = [
  { "id": "file-results-00000000-0000-4000-8000-000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "step_metrics.csv", "purpose": "fine-tune-results", "status": "processed" },
] as const;
accept<OpenAI.FileObject>(resultFile);

const evalFile = [
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "evals", "status": "processed", "expires_at": 1767225600 },
] as const;
accept<EvalFile>(evalFile);

const deletedFile = [
  { "id": "file-00000000000000000000000000000000", "object": "file", "deleted": true },
] as const;
accept<OpenAI.FileDeleted>(deletedFile);

const upload = [
  { "id": "upload_00000000000000000000000000000000", "object": "upload", "bytes": 100, "created_at": 1767225600, "expires_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "pending", "file": null },
] as const;
accept<OpenAI.Uploads.Upload>(upload);

const part = [
  { "id": "part_00000000000000000000000000000000", "object": "upload.part", "created_at": 1767225600, "upload_id": "upload_00000000000000000000000000000000" },
] as const;
accept<OpenAI.Uploads.UploadPart>(part);

const completedUpload = [
  { "id": "upload_00000000000000000000000000000000", "object": "upload", "bytes": 100, "created_at": 1767225600, "expires_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "completed", "file": { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "processed", "expires_at": 1767225600 } },
] as const;
accept<OpenAI.Uploads.Upload>(completedUpload);

const secondUpload = [
  { "id": "upload_00000000000000000000000000000000", "object": "upload", "bytes": 100, "created_at": 1767225600, "expires_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "pending", "file": null },
] as const;
accept<OpenAI.Uploads.Upload>(secondUpload);

const cancelledUpload = [
  { "id": "upload_00000000000000000000000000000000", "object": "upload", "bytes": 100, "created_at": 1767225600, "expires_at": 1767225600, "filename": "a.jsonl", "purpose": "batch", "status": "cancelled", "file": null },
] as const;
accept<OpenAI.Uploads.Upload>(cancelledUpload);

const batch = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "validating", "created_at": 1767225600, "expires_at": 1767225600, "request_counts": { "total": 0, "completed": 0, "failed": 0 }, "metadata": { "a": "b" } },
] as const;
accept<OpenAI.Batch>(batch);

const completedBatch = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "model": "test/model", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "completed", "output_file_id": "file-00000000000000000000000000000000", "error_file_id": "file-00000000000000000000000000000000", "created_at": 1767225600, "expires_at": 1767225600, "in_progress_at": 1767225600, "finalizing_at": 1767225600, "completed_at": 1767225600, "request_counts": { "total": 2, "completed": 1, "failed": 1 }, "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0 }, "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 7 }, "metadata": { "a": "b" } },
] as const;
accept<OpenAI.Batch>(completedBatch);

const brokenBatch = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "validating", "created_at": 1767225600, "expires_at": 1767225600, "request_counts": { "total": 0, "completed": 0, "failed": 0 }, "metadata": null },
] as const;
accept<OpenAI.Batch>(brokenBatch);

const failedBatch = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "errors": { "object": "list", "data": [ { "code": "invalid_json_line", "message": "The line is not valid JSON in UTF-8.", "param": null, "line": 1 }, { "code": "duplicate_custom_id", "message": "An earlier request has the same `custom_id`.", "param": "custom_id", "line": 3 } ] }, "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "failed", "created_at": 1767225600, "expires_at": 1767225600, "failed_at": 1767225600, "request_counts": { "total": 0, "completed": 0, "failed": 0 }, "metadata": null },
] as const;
accept<OpenAI.Batch>(failedBatch);

const slowBatch = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "validating", "created_at": 1767225600, "expires_at": 1767225600, "request_counts": { "total": 0, "completed": 0, "failed": 0 }, "metadata": null },
] as const;
accept<OpenAI.Batch>(slowBatch);

const runningBatch = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "model": "test/model", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "in_progress", "created_at": 1767225600, "expires_at": 1767225600, "in_progress_at": 1767225600, "request_counts": { "total": 1, "completed": 0, "failed": 0 }, "metadata": null },
] as const;
accept<OpenAI.Batch>(runningBatch);

const cancellingBatch = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "model": "test/model", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "cancelling", "created_at": 1767225600, "expires_at": 1767225600, "in_progress_at": 1767225600, "cancelling_at": 1767225600, "request_counts": { "total": 1, "completed": 0, "failed": 0 }, "metadata": null },
] as const;
accept<OpenAI.Batch>(cancellingBatch);

const cancelledBatch = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "model": "test/model", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "cancelled", "error_file_id": "file-00000000000000000000000000000000", "created_at": 1767225600, "expires_at": 1767225600, "in_progress_at": 1767225600, "cancelling_at": 1767225600, "cancelled_at": 1767225600, "request_counts": { "total": 1, "completed": 0, "failed": 1 }, "usage": { "input_tokens": 0, "input_tokens_details": { "cached_tokens": 0 }, "output_tokens": 0, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 0 }, "metadata": null },
] as const;
accept<OpenAI.Batch>(cancelledBatch);

const batches = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "model": "test/model", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "cancelled", "error_file_id": "file-00000000000000000000000000000000", "created_at": 1767225600, "expires_at": 1767225600, "in_progress_at": 1767225600, "cancelling_at": 1767225600, "cancelled_at": 1767225600, "request_counts": { "total": 1, "completed": 0, "failed": 1 }, "usage": { "input_tokens": 0, "input_tokens_details": { "cached_tokens": 0 }, "output_tokens": 0, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 0 }, "metadata": null },
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "errors": { "object": "list", "data": [ { "code": "invalid_json_line", "message": "The line is not valid JSON in UTF-8.", "param": null, "line": 1 }, { "code": "duplicate_custom_id", "message": "An earlier request has the same `custom_id`.", "param": "custom_id", "line": 3 } ] }, "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "failed", "created_at": 1767225600, "expires_at": 1767225600, "failed_at": 1767225600, "request_counts": { "total": 0, "completed": 0, "failed": 0 }, "metadata": null },
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "model": "test/model", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "completed", "output_file_id": "file-00000000000000000000000000000000", "error_file_id": "file-00000000000000000000000000000000", "created_at": 1767225600, "expires_at": 1767225600, "in_progress_at": 1767225600, "finalizing_at": 1767225600, "completed_at": 1767225600, "request_counts": { "total": 2, "completed": 1, "failed": 1 }, "usage": { "input_tokens": 5, "input_tokens_details": { "cached_tokens": 0 }, "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 7 }, "metadata": { "a": "b" } },
] as const;
accept<OpenAI.Batch>(batches);

const filesWithOutput = [
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "batch_00000000000000000000000000000000_error.jsonl", "purpose": "batch_output", "status": "processed", "expires_at": 1767225600 },
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "batch_00000000000000000000000000000000_error.jsonl", "purpose": "batch_output", "status": "processed", "expires_at": 1767225600 },
  { "id": "file-00000000000000000000000000000000", "object": "file", "bytes": 100, "created_at": 1767225600, "filename": "batch_00000000000000000000000000000000_output.jsonl", "purpose": "batch_output", "status": "processed", "expires_at": 1767225600 },
] as const;
accept<OpenAI.FileObject>(filesWithOutput);

const jobs = [
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": null, "fine_tuned_model": null, "finished_at": null, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [], "seed": 42, "status": "running", "trained_tokens": null, "training_file": "file-00000000000000000000000000000000", "validation_file": null, "estimated_finish": null, "metadata": null, "method": { "type": "supervised", "supervised": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 } } } },
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": { "code": "training_failed", "message": "The loss is not a number.", "param": null }, "fine_tuned_model": null, "finished_at": 1767225600, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [], "seed": 42, "status": "failed", "trained_tokens": null, "training_file": "file-00000000000000000000000000000000", "validation_file": null, "estimated_finish": null, "metadata": null, "method": { "type": "supervised", "supervised": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 } } } },
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": null, "fine_tuned_model": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000", "finished_at": 1767225600, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [ "file-results-00000000-0000-4000-8000-000000000000" ], "seed": 42, "status": "succeeded", "trained_tokens": 100, "training_file": "file-00000000000000000000000000000000", "validation_file": null, "estimated_finish": null, "metadata": { "a": "b" }, "method": { "type": "supervised", "supervised": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 } } } },
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(jobs);

const job = [
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": null, "fine_tuned_model": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000", "finished_at": 1767225600, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [ "file-results-00000000-0000-4000-8000-000000000000" ], "seed": 42, "status": "succeeded", "trained_tokens": 100, "training_file": "file-00000000000000000000000000000000", "validation_file": null, "estimated_finish": null, "metadata": { "a": "b" }, "method": { "type": "supervised", "supervised": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 } } } },
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(job);

const failedJob = [
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": { "code": "training_failed", "message": "The loss is not a number.", "param": null }, "fine_tuned_model": null, "finished_at": 1767225600, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [], "seed": 42, "status": "failed", "trained_tokens": null, "training_file": "file-00000000000000000000000000000000", "validation_file": null, "estimated_finish": null, "metadata": null, "method": { "type": "supervised", "supervised": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 } } } },
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(failedJob);

const runningJob = [
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": null, "fine_tuned_model": null, "finished_at": null, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [], "seed": 42, "status": "running", "trained_tokens": null, "training_file": "file-00000000000000000000000000000000", "validation_file": null, "estimated_finish": null, "metadata": null, "method": { "type": "supervised", "supervised": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 } } } },
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(runningJob);

const queuedJob = [
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": null, "fine_tuned_model": null, "finished_at": null, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [], "seed": 1, "status": "queued", "trained_tokens": null, "training_file": "file-00000000000000000000000000000000", "validation_file": "file-00000000000000000000000000000000", "estimated_finish": null, "metadata": null, "method": { "type": "supervised", "supervised": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 } } } },
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(queuedJob);

const pausedJob = [
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": null, "fine_tuned_model": null, "finished_at": null, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [], "seed": 1, "status": "queued", "trained_tokens": null, "training_file": "file-00000000000000000000000000000000", "validation_file": "file-00000000000000000000000000000000", "estimated_finish": null, "metadata": null, "method": { "type": "supervised", "supervised": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 } } } },
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(pausedJob);

const resumedJob = [
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": null, "fine_tuned_model": null, "finished_at": null, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [], "seed": 1, "status": "queued", "trained_tokens": null, "training_file": "file-00000000000000000000000000000000", "validation_file": "file-00000000000000000000000000000000", "estimated_finish": null, "metadata": null, "method": { "type": "supervised", "supervised": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 } } } },
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(resumedJob);

const cancelledJob = [
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": null, "fine_tuned_model": null, "finished_at": 1767225600, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [], "seed": 1, "status": "cancelled", "trained_tokens": null, "training_file": "file-00000000000000000000000000000000", "validation_file": "file-00000000000000000000000000000000", "estimated_finish": null, "metadata": null, "method": { "type": "supervised", "supervised": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 } } } },
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(cancelledJob);

const jobOfPreferences = [
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": null, "fine_tuned_model": null, "finished_at": null, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [], "seed": 42, "status": "queued", "trained_tokens": null, "training_file": "file-00000000000000000000000000000000", "validation_file": null, "estimated_finish": null, "metadata": null, "method": { "type": "dpo", "dpo": { "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1, "beta": 0.1 } } } },
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(jobOfPreferences);

const jobOfRewards = [
  { "id": "ftjob-00000000-0000-4000-8000-000000000000", "object": "fine_tuning.job", "created_at": 1767225600, "error": null, "fine_tuned_model": null, "finished_at": null, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1 }, "model": "test/model", "organization_id": "anon-000000", "result_files": [], "seed": 42, "status": "queued", "trained_tokens": null, "training_file": "file-00000000000000000000000000000000", "validation_file": null, "estimated_finish": null, "metadata": null, "method": { "type": "reinforcement", "reinforcement": { "grader": { "type": "string_check", "name": "exact", "input": "{{ sample.output_text }}", "reference": "{{ item.answer }}", "operation": "eq" }, "hyperparameters": { "n_epochs": 25, "batch_size": 1, "learning_rate_multiplier": 1, "compute_multiplier": 1, "eval_interval": "auto", "eval_samples": 1 } } } },
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(jobOfRewards);

const jobEvents = [
  { "id": "ftevent-00000000-0000-4000-8000-000000000000-6", "object": "fine_tuning.job.event", "created_at": 1767225600, "level": "info", "message": "The job has successfully completed.", "type": "message", "data": {} },
  { "id": "ftevent-00000000-0000-4000-8000-000000000000-5", "object": "fine_tuning.job.event", "created_at": 1767225600, "level": "info", "message": "The adapter is saved.", "type": "message", "data": {} },
  { "id": "ftevent-00000000-0000-4000-8000-000000000000-4", "object": "fine_tuning.job.event", "created_at": 1767225600, "level": "info", "message": "Step 2, train loss 0.2500", "type": "metrics", "data": { "step": 2, "train_loss": 0.25, "learning_rate": 0.0002, "epoch": 1 } },
  { "id": "ftevent-00000000-0000-4000-8000-000000000000-3", "object": "fine_tuning.job.event", "created_at": 1767225600, "level": "info", "message": "Checkpoint saved at step 1.", "type": "message", "data": {} },
  { "id": "ftevent-00000000-0000-4000-8000-000000000000-2", "object": "fine_tuning.job.event", "created_at": 1767225600, "level": "info", "message": "Step 1, train loss 0.5000, valid loss 0.7500", "type": "metrics", "data": { "step": 1, "train_loss": 0.5, "valid_loss": 0.75, "learning_rate": 0.0002, "epoch": 0.5 } },
  { "id": "ftevent-00000000-0000-4000-8000-000000000000-1", "object": "fine_tuning.job.event", "created_at": 1767225600, "level": "info", "message": "Training started: 2 steps.", "type": "message", "data": {} },
] as const;
accept<OpenAI.FineTuning.FineTuningJobEvent>(jobEvents);

const failedJobEvents = [
  { "id": "ftevent-00000000-0000-4000-8000-000000000000-2", "object": "fine_tuning.job.event", "created_at": 1767225600, "level": "info", "message": "The job has failed.", "type": "message", "data": {} },
  { "id": "ftevent-00000000-0000-4000-8000-000000000000-1", "object": "fine_tuning.job.event", "created_at": 1767225600, "level": "error", "message": "The loss is not a number.", "type": "message", "data": {} },
] as const;
accept<OpenAI.FineTuning.FineTuningJobEvent>(failedJobEvents);

const jobCheckpoints = [
  { "id": "ftckpt-00000000-0000-4000-8000-000000000000-2", "object": "fine_tuning.job.checkpoint", "created_at": 1767225600, "fine_tuned_model_checkpoint": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000", "fine_tuning_job_id": "ftjob-00000000-0000-4000-8000-000000000000", "metrics": { "step": 2, "train_loss": 0.25 }, "step_number": 2 },
  { "id": "ftckpt-00000000-0000-4000-8000-000000000000-1", "object": "fine_tuning.job.checkpoint", "created_at": 1767225600, "fine_tuned_model_checkpoint": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000:ckpt-step-1", "fine_tuning_job_id": "ftjob-00000000-0000-4000-8000-000000000000", "metrics": { "step": 1, "train_loss": 0.5, "valid_loss": 0.75 }, "step_number": 1 },
] as const;
accept<OpenAI.FineTuning.Jobs.FineTuningJobCheckpoint>(jobCheckpoints);

const graderRun = [
  { "reward": 1, "metadata": { "name": "exact", "type": "string_check", "errors": { "formula_parse_error": false, "invalid_variable_error": false, "model_grader_parse_error": false, "model_grader_refusal_error": false, "model_grader_server_error": false, "other_error": false, "python_grader_runtime_error": false, "python_grader_server_error": false, "sample_parse_error": false, "truncated_observation_error": false, "unresponsive_reward_error": false, "model_grader_server_error_details": null, "python_grader_runtime_error_details": null, "python_grader_server_error_type": null, "messages": [] }, "execution_time": 0, "scores": {}, "token_usage": null, "sampled_model_name": null }, "sub_rewards": {}, "model_grader_token_usage_per_model": {} },
] as const;
accept<OpenAI.FineTuning.Alpha.GraderRunResponse>(graderRun);

const graderValidated = [
  { "grader": { "type": "string_check", "name": "exact", "input": "{{ sample.output_text }}", "reference": "{{ item.answer }}", "operation": "eq" } },
] as const;
accept<OpenAI.FineTuning.Alpha.GraderValidateResponse>(graderValidated);

const permissions = [
  { "object": "list", "data": [], "first_id": null, "last_id": null, "has_more": false },
] as const;
accept<OpenAI.FineTuning.Checkpoints.PermissionRetrieveResponse>(permissions);

const permissionRefused = [
  { "message": "Only keys of its own project can use a model, so there are no permissions to change.", "type": "invalid_request_error", "code": "unsupported_parameter", "param": "project_ids" },
] as const;
accept<OpenAI.ErrorObject>(permissionRefused);

const tunedModel = [
  { "id": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000", "object": "model", "created": 1767225600, "owned_by": "anon-000000" },
] as const;
accept<OpenAI.Model>(tunedModel);

const chatOfTuned = [
  { "id": "chatcmpl-00000000000000000000000000000000", "created": 1767225600, "model": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000", "system_fingerprint": "fp_14531f4d0fa36821", "object": "chat.completion", "choices": [ { "index": 0, "message": { "role": "assistant", "content": "Hi", "refusal": null, "annotations": [] }, "logprobs": { "content": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] }, { "token": "H", "logprob": -0.5, "bytes": [ 72 ], "top_logprobs": [ { "token": "H", "logprob": -0.5, "bytes": [ 72 ] } ] } ], "refusal": null }, "finish_reason": "stop" } ], "service_tier": "default", "usage": { "prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7, "completion_tokens_details": { "reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0 } } },
] as const;
accept<OpenAI.ChatCompletion>(chatOfTuned);

const deletedModel = [
  { "id": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000", "object": "model", "deleted": true },
] as const;
accept<OpenAI.ModelDeleted>(deletedModel);

const invalid = [
  { "message": "`messages` is required.", "type": "invalid_request_error", "code": "invalid_value", "param": "messages" },
] as const;
accept<OpenAI.ErrorObject>(invalid);

const keyUnknown = [
  { "message": "This requires an enabled API key for a project (`svc keys issue --project`), sent as `Authorization: Bearer <API_KEY>`.", "type": "authentication_error", "code": "invalid_api_key", "param": null },
] as const;
accept<OpenAI.ErrorObject>(keyUnknown);

const otherOrigin = [
  { "message": "This API is for programs: pages of other origins are refused.", "type": "permission_error", "code": "origin_not_allowed", "param": null },
] as const;
accept<OpenAI.ErrorObject>(otherOrigin);

const modelUnknown = [
  { "message": "The model `none` does not exist in this project, which has `test/model`. `GET /models` lists all.", "type": "invalid_request_error", "code": "model_not_found", "param": "model" },
] as const;
accept<OpenAI.ErrorObject>(modelUnknown);

const pathUnknown = [
  { "message": "There is no /openai/v1/audio/speech here: svc has no audio models.", "type": "invalid_request_error", "code": "unknown_url", "param": null },
] as const;
accept<OpenAI.ErrorObject>(pathUnknown);

const methodUnknown = [
  { "message": "/openai/v1/embeddings allows POST, not DELETE.", "type": "invalid_request_error", "code": "method_not_allowed", "param": null },
] as const;
accept<OpenAI.ErrorObject>(methodUnknown);

const fileInUse = [
  { "message": "Job 00000000-0000-4000-8000-000000000000 is queued and was created with this file. Cancel it first, then delete the file.", "type": "invalid_request_error", "code": "file_in_use", "param": null },
] as const;
accept<OpenAI.ErrorObject>(fileInUse);

const mediaUnknown = [
  { "message": "The body must be sent as `application/json`, but Content-Type is `text/plain`.", "type": "invalid_request_error", "code": "unsupported_media_type", "param": null },
] as const;
accept<OpenAI.ErrorObject>(mediaUnknown);

const busy = [
  { "message": "Too many requests are waiting.", "type": "rate_limit_error", "code": "engine_busy", "param": null },
] as const;
accept<OpenAI.ErrorObject>(busy);

const broken = [
  { "message": "Something went wrong on our side. Look up the request ID in the log.", "type": "server_error", "code": "internal_error", "param": null },
] as const;
accept<OpenAI.ErrorObject>(broken);

const unavailable = [
  { "message": "The engine is starting again.", "type": "server_error", "code": "engine_unavailable", "param": null },
] as const;
accept<OpenAI.ErrorObject>(unavailable);

const messageInvalid = [
  { "type": "error", "error": { "type": "invalid_request_error", "message": "`messages` is required." }, "request_id": "00000000-0000-4000-8000-000000000000" },
] as const;
accept<Anthropic.ErrorResponse>(messageInvalid);

const messageKeyUnknown = [
  { "type": "error", "error": { "type": "authentication_error", "message": "This requires an enabled API key for a project (`svc keys issue --project`), sent as `Authorization: Bearer <API_KEY>`." }, "request_id": "00000000-0000-4000-8000-000000000000" },
] as const;
accept<Anthropic.ErrorResponse>(messageKeyUnknown);

const messageModelUnknown = [
  { "type": "error", "error": { "type": "not_found_error", "message": "The model `none` does not exist in this project, which has `test/model`. `GET /models` lists all." }, "request_id": "00000000-0000-4000-8000-000000000000" },
] as const;
accept<Anthropic.ErrorResponse>(messageModelUnknown);

const messageBatches = [
  { "type": "error", "error": { "type": "not_found_error", "message": "There is no /openai/v1/messages/batches here: it is at /openai/v1/batches. Check the client's base URL." }, "request_id": "00000000-0000-4000-8000-000000000000" },
] as const;
accept<Anthropic.ErrorResponse>(messageBatches);

const messageBusy = [
  { "type": "error", "error": { "type": "rate_limit_error", "message": "Too many requests are waiting." }, "request_id": "00000000-0000-4000-8000-000000000000" },
] as const;
accept<Anthropic.ErrorResponse>(messageBusy);

const messageBroken = [
  { "type": "error", "error": { "type": "api_error", "message": "Something went wrong on our side. Look up the request ID in the log." }, "request_id": "00000000-0000-4000-8000-000000000000" },
] as const;
accept<Anthropic.ErrorResponse>(messageBroken);

const messageUnavailable = [
  { "type": "error", "error": { "type": "overloaded_error", "message": "The engine is starting again." }, "request_id": "00000000-0000-4000-8000-000000000000" },
] as const;
accept<Anthropic.ErrorResponse>(messageUnavailable);

const lateBatch = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "validating", "created_at": 1767225600, "expires_at": 1767225600, "request_counts": { "total": 0, "completed": 0, "failed": 0 }, "metadata": null },
] as const;
accept<OpenAI.Batch>(lateBatch);

const expiredBatch = [
  { "id": "batch_00000000000000000000000000000000", "object": "batch", "endpoint": "/v1/chat/completions", "model": "test/model", "input_file_id": "file-00000000000000000000000000000000", "completion_window": "24h", "status": "expired", "error_file_id": "file-00000000000000000000000000000000", "created_at": 1767225600, "expires_at": 1767225600, "in_progress_at": 1767225600, "expired_at": 1767225600, "request_counts": { "total": 20, "completed": 0, "failed": 20 }, "usage": { "input_tokens": 0, "input_tokens_details": { "cached_tokens": 0 }, "output_tokens": 0, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 0 }, "metadata": null },
] as const;
accept<OpenAI.Batch>(expiredBatch);
