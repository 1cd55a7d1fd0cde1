// The exact versions that are installed: the newest that run on Node.js 20.19 and Python 3.11.
import type { Client, Environment } from './client.js';

/** Installs the packages for Python, since it resolves twenty clients in seconds. */
export const UV = 'uv==0.13.9';

/** What the packages themselves need is taken as it was on this day. */
export const AS_OF = '2026-11-26';

/** An environment for each, because these clients need different versions of a package that they share. */
export const PYTHON_PACKAGES = {
  python: [
    'anthropic==2.14.0',
    'dspy==3.4.1',
    'email-validator==2.4.0',
    'haystack-ai==3.4.1',
    'instructor==1.17.0',
    'langchain==1.5.2',
    'langchain-openai==1.7.4',
    'langgraph==1.2.24',
    'litellm==1.110.2',
    'llama-index-embeddings-openai-like==0.4.0',
    'llama-index-llms-openai-like==0.8.1',
    'llm==0.32.1',
    'lm-eval[api]==0.4.13',
    'magentic==0.41.1',
    'openai-agents==0.20.0',
    'pydantic-ai-slim[openai]==2.31.1',
    'smolagents[openai]==1.26.0',
  ],
  'python-openai': ['inspect-ai==0.3.285', 'openai==3.57.0'],
  'python-marvin': ['marvin==3.2.7', 'mcp==1.30.0', 'pydantic-ai-slim[mcp,openai]==1.39.1'],
  // The last that has a command line.
  'python-command': ['openai==2.30.0'],
} as const satisfies Record<Exclude<Environment, 'node'>, readonly string[]>;

/** `ai` and its provider are there in two versions. Packages that ask for Node.js 22 run on 20, too. */
export const NODE_PACKAGES: Record<string, string> = {
  '@ai-sdk/openai': '3.0.141',
  '@anthropic-ai/sdk': '1.14.0',
  '@instructor-ai/instructor': '1.7.0',
  '@langchain/core': '1.4.0',
  '@langchain/langgraph': '1.7.3',
  '@langchain/openai': '1.4.7',
  '@mastra/core': '1.71.0',
  '@openai/agents': '0.20.0',
  ai: '6.0.325',
  'ai-7': 'npm:ai@7.0.173',
  'ai-sdk-openai-4': 'npm:@ai-sdk/openai@4.0.118',
  langchain: '1.5.14',
  openai: '6.30.1',
  xsai: '0.4.4',
  zod: '4.6.7',
};

export function versionOf({ environment, package: name }: Client): string {
  const found =
    environment === 'node'
      ? NODE_PACKAGES[name]?.replace(/^npm:.*@/, '')
      : PYTHON_PACKAGES[environment]
          .find(one => one.replace(/\[.*\]/, '').startsWith(`${name}==`))
          ?.split('==')[1];
  if (found === undefined) throw new Error(`packages.ts has no version of ${name}.`);
  return found;
}
