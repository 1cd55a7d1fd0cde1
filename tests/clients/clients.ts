// The clients of the table, in its order.
import type { Client } from './client.js';
import { AI_SDK_6, AI_SDK_7, MASTRA } from './node/ai-sdk.js';
import {
  ANTHROPIC_NODE,
  INSTRUCTOR_NODE,
  LANGCHAIN_NODE,
  OPENAI_AGENTS_NODE,
  XSAI,
} from './node/libraries.js';
import { OPENAI_NODE } from './node/openai.js';
import { INSPECT, OPENAI_AGENTS, PYDANTIC_AI, SMOLAGENTS } from './python/agents.js';
import { DSPY, HAYSTACK, LANGCHAIN_PYTHON, LLAMA_INDEX } from './python/chains.js';
import { LLM, LM_EVAL, OPENAI_COMMAND } from './python/commands.js';
import { OPENAI_PYTHON } from './python/openai.js';
import { ANTHROPIC_PYTHON, INSTRUCTOR, LITELLM, MAGENTIC, MARVIN } from './python/structured.js';

export const CLIENTS: readonly Client[] = [
  OPENAI_NODE,
  AI_SDK_6,
  AI_SDK_7,
  OPENAI_AGENTS_NODE,
  MASTRA,
  LANGCHAIN_NODE,
  INSTRUCTOR_NODE,
  XSAI,
  ANTHROPIC_NODE,
  OPENAI_PYTHON,
  OPENAI_AGENTS,
  PYDANTIC_AI,
  LANGCHAIN_PYTHON,
  LLAMA_INDEX,
  HAYSTACK,
  DSPY,
  INSTRUCTOR,
  LITELLM,
  MAGENTIC,
  MARVIN,
  SMOLAGENTS,
  INSPECT,
  LM_EVAL,
  LLM,
  ANTHROPIC_PYTHON,
  OPENAI_COMMAND,
];
