// Functions that models call: what a conversation's calls are, and whether they fit the tools that it has.
export { type Call, readCalls, toToolCall, writeCalls } from './calls.js';
export { type CallFault, createFit, describeMisfit, findCallFaults, openTools, toTool } from './tools.js';
